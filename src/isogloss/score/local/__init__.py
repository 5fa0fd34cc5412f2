"""The transformers backend: prompts that begin alike are read once."""
