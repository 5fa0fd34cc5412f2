"""The recorded run as one package for a deposit (an RO-Crate), its check, and signatures."""
