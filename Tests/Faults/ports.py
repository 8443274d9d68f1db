"""A port for a server that is told where to listen, because it is started again there or somebody else has to know it first."""
import pathlib
import random
import socket


def free_port():
    """Below the ports that the system gives to connections: one of those may be taken before the server listens on it."""
    first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="utf-8").split()[0])
    while True:
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", random.randrange(first // 2, first)))
            except OSError:
                continue
            return listener.getsockname()[1]
