"""The page of an audit: one file to read, print and keep, which asks nothing of any host."""
