"""Statistics as functions of arrays that return frozen results."""
