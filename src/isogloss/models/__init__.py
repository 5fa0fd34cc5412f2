"""Language models and sentence encoders: where they are, what they are, how they are loaded."""
