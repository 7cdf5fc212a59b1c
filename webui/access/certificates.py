"""A certificate authority of this computer's own, so that a phone's browser allows the camera at home.

The authority can vouch for private addresses and local names only (name constraints), so that its key, should
it ever leak, opens nothing on the internet. Keys lie in the data folder, readable by their owner alone.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from webui.access.secrets import put

AUTHORITY_DAYS = 3650
SERVER_DAYS = 820
"""iOS refuses server certificates that are valid for more than 825 days."""

RENEW_DAYS = 60
"""A server certificate with less than this left is made anew at the next start."""

BACKDATED = timedelta(days=1)
"""A phone's clock may be behind."""

PRIVATE_NETWORKS = (
    "127.0.0.0/8",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "100.64.0.0/10",
)
PRIVATE_NETWORKS_6 = ("::1/128", "fc00::/7", "fe80::/10")
LOCAL_DOMAINS = ("localhost", "local", "lan", "home", "internal")


class DamagedCertificate(ValueError):
    """The authority that phones trust can't be read, or its key is another one's."""

    code = "damaged_certificate"

    def __init__(self, path: Path, key_path: Path) -> None:
        super().__init__(
            f"{path} and {key_path} are damaged; bring them back from a backup of the folder, or delete both: "
            "new ones are made then, and every phone has to trust them once more"
        )


@dataclass(frozen=True)
class Certificates:
    """Paths of what the server needs, and the authority's fingerprint for people to compare."""

    authority: Path
    server_chain: Path
    server_key: Path
    fingerprint: str


def ensure(folder: Path, names: Sequence[str], *, now: datetime | None = None) -> Certificates:
    """Make what is missing or too old in `folder`, for a server that answers to `names`.

    Parameters
    ----------
    folder
        Made when missing, with mode 0700.
    names
        Host names and addresses of this computer; those that the authority must not vouch for are left out.
    """
    moment = now or datetime.now(UTC)
    names = [name for name in names if _may_vouch_for(name)]
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    authority, key = _authority(folder, moment)
    chain, server_key = folder / "server.crt", folder / "server.key"
    if not _serves(chain, server_key, authority, names, moment):
        _issue(chain, server_key, authority, key, names, moment)
    digest = authority.fingerprint(hashes.SHA256()).hex(":").upper()
    return Certificates(folder / "authority.crt", chain, server_key, digest)


def _may_vouch_for(name: str) -> bool:
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return any(name == domain or name.endswith(f".{domain}") for domain in LOCAL_DOMAINS)
    return any(address in ipaddress.ip_network(network) for network in PRIVATE_NETWORKS + PRIVATE_NETWORKS_6)


def _authority(folder: Path, now: datetime) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    path, key_path = folder / "authority.crt", folder / "authority.key"
    if path.exists() and key_path.exists():
        certificate, key = _kept_authority(path, key_path)
        if certificate.not_valid_after_utc - now > timedelta(days=SERVER_DAYS):
            return certificate, key
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "paiyan"),
            # The year and a number tell two computers' authorities apart in a phone's list.
            x509.NameAttribute(NameOID.COMMON_NAME, f"paiyan at home {now:%Y}-{os.urandom(2).hex()}"),
        ]
    )
    usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    certificate = (
        _builder(name, name, key.public_key(), now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(_name_constraints(), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    put(key_path, _key_pem(key))
    put(path, certificate.public_bytes(serialization.Encoding.PEM))
    return certificate, key


def _kept_authority(path: Path, key_path: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """The authority as its files have it; raises `DamagedCertificate`, since phones trust it and not a new one."""
    try:
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
        key = serialization.load_pem_private_key(key_path.read_bytes(), password=None)
    except ValueError:
        raise DamagedCertificate(path, key_path) from None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        raise DamagedCertificate(path, key_path)
    return certificate, key


def _name_constraints() -> x509.NameConstraints:
    networks = [x509.IPAddress(ipaddress.ip_network(n)) for n in PRIVATE_NETWORKS + PRIVATE_NETWORKS_6]
    return x509.NameConstraints([*networks, *(x509.DNSName(domain) for domain in LOCAL_DOMAINS)], None)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BACKDATED)
        .not_valid_after(now - BACKDATED + timedelta(days=days))
    )


def _issue(
    chain: Path,
    key_path: Path,
    authority: x509.Certificate,
    authority_key: ec.EllipticCurvePrivateKey,
    names: Sequence[str],
    now: datetime,
) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "paiyan")])
    usage = x509.KeyUsage(True, False, False, False, False, False, False, False, False)
    identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    certificate = (
        _builder(subject, authority.subject, key.public_key(), now, SERVER_DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(_alternatives(names)), critical=False)
        .add_extension(identifier, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    put(key_path, _key_pem(key))
    pem = serialization.Encoding.PEM
    put(chain, certificate.public_bytes(pem) + authority.public_bytes(pem))


def _alternatives(names: Sequence[str]) -> list[x509.GeneralName]:
    found: list[x509.GeneralName] = []
    for name in names:
        try:
            found.append(x509.IPAddress(ipaddress.ip_address(name)))
        except ValueError:
            found.append(x509.DNSName(name))
    return found


def _serves(chain: Path, key: Path, authority: x509.Certificate, names: Sequence[str], now: datetime) -> bool:
    """True where the certificate on disk is this authority's, long enough valid, and for just these names."""
    if not (chain.exists() and key.exists()):
        return False
    try:
        certificate = x509.load_pem_x509_certificate(chain.read_bytes())
        own_key = serialization.load_pem_private_key(key.read_bytes(), password=None)
    except ValueError:  # half-written: phones trust the authority, so another one does as well
        return False
    listed = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    identifier = certificate.extensions.get_extension_for_class(x509.AuthorityKeyIdentifier).value
    own = authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    return (
        own_key.public_key() == certificate.public_key()
        and identifier.key_identifier == own.key_identifier
        and certificate.not_valid_after_utc - now > timedelta(days=RENEW_DAYS)
        and set(listed) == set(_alternatives(names))
    )


def _key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
