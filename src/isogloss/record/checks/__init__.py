"""The links of the chain from a printed number back to its sources, each checked by itself."""
