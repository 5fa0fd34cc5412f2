"""Command `restore`: a recorded run's artifacts brought back from a remote, byte for byte."""
