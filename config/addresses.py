"""The names and addresses under which this machine can be reached on its own network."""

from __future__ import annotations

import ipaddress
import socket

import psutil


def lan_addresses() -> list[str]:
    """IPv4 addresses of the interfaces that are up, loopback left out; the one that leads outside comes first."""
    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    found = [
        entry.address
        for name, entries in psutil.net_if_addrs().items()
        for entry in entries
        if name in up and entry.family == socket.AF_INET and not ipaddress.ip_address(entry.address).is_loopback
    ]
    outward = _outward_address()
    return sorted(found, key=lambda address: address != outward)


def local_names() -> list[str]:
    """Host names that a browser in the class may put into its address line."""
    name = socket.gethostname().lower()
    return ["localhost", "127.0.0.1", "[::1]", name, f"{name}.local", *lan_addresses()]


def _outward_address() -> str | None:
    """The address that a packet to the outside would carry; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])
