"""Ports for the servers that tests start."""

import random
import socket

# Below those that Linux (from 32768) and macOS (from 49152) give to whoever asks for any: a server
# takes seconds to start, and a connection of another test could have the port by then.
PORTS = range(20_000, 32_768)


def free_port() -> int:
    """Return a port that nothing has."""
    draw = random.SystemRandom()
    while True:
        port = draw.choice(PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
