"""The studies. Adding one is adding a module, its items, its page and a line in `registry`."""
