"""A job posting put to a language model: who it is for, in which role, and in which words."""
