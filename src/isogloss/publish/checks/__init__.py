"""The single checks, a module each: values in, what was found out."""
