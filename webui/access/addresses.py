"""Addresses of devices."""

from __future__ import annotations

import ipaddress


def is_loopback(address: str | None) -> bool:
    """True for an address of this computer itself; an unknown one is none."""
    try:
        parsed = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return False
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return (mapped or parsed).is_loopback
