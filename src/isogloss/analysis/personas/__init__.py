"""Analysis of designs in which an item is said in a guise and about a persona."""
