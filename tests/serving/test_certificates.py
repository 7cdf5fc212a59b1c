"""The certificate authority at home: what it may issue, when it is renewed, who may read its key."""

from __future__ import annotations

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from webui.access import certificates

NAMES = ["localhost", "127.0.0.1", "192.168.1.5", "tea-house.local"]


def server_certificate(made: certificates.Certificates) -> x509.Certificate:
    return x509.load_pem_x509_certificate(made.server_chain.read_bytes())


def test_chain_verifies_for_every_name(tmp_path: Path) -> None:
    made = certificates.ensure(tmp_path, NAMES)
    authority = x509.load_pem_x509_certificate(made.authority.read_bytes())
    verifier = PolicyBuilder().store(Store([authority]))
    chain = verifier.build_server_verifier(x509.DNSName("tea-house.local")).verify(
        server_certificate(made), []
    )
    assert chain[-1] == authority
    listed = server_certificate(made).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(one.value) for one in listed} == set(NAMES)


def test_names_of_the_internet_are_left_out(tmp_path: Path) -> None:
    made = certificates.ensure(tmp_path, [*NAMES, "bank.example", "tea-house", "8.8.8.8"])
    listed = server_certificate(made).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(one.value) for one in listed} == set(NAMES)


@pytest.mark.parametrize("name", ["bank.example", "8.8.8.8"])
def test_whoever_steals_the_key_cannot_pose_as_a_site_of_the_internet(tmp_path: Path, name: str) -> None:
    now = datetime.now(UTC)
    authority, key = certificates._authority(tmp_path, now)
    certificates._issue(tmp_path / "forged.crt", tmp_path / "forged.key", authority, key, [name], now)
    forged = x509.load_pem_x509_certificate((tmp_path / "forged.crt").read_bytes())
    builder = PolicyBuilder().store(Store([authority]))
    wanted = certificates._alternatives([name])[0]
    assert isinstance(wanted, x509.DNSName | x509.IPAddress)
    with pytest.raises(VerificationError):
        builder.build_server_verifier(wanted).verify(forged, [])


def test_phones_accept_the_lifetime(tmp_path: Path) -> None:
    certificate = server_certificate(certificates.ensure(tmp_path, NAMES))
    assert certificate.not_valid_after_utc - certificate.not_valid_before_utc <= timedelta(days=825)


def test_keys_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "https"
    certificates.ensure(folder, NAMES)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.glob("*.key")}
    assert modes == {"authority.key": 0o600, "server.key": 0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_second_start_changes_nothing(tmp_path: Path) -> None:
    certificates.ensure(tmp_path, NAMES)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    certificates.ensure(tmp_path, list(reversed(NAMES)))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_new_address_renews_the_server_certificate_and_keeps_the_authority(tmp_path: Path) -> None:
    first = certificates.ensure(tmp_path, NAMES)
    old = server_certificate(first)
    second = certificates.ensure(tmp_path, ["localhost", "10.0.0.7"])
    assert second.fingerprint == first.fingerprint
    assert server_certificate(second).serial_number != old.serial_number


def test_an_old_server_certificate_is_renewed(tmp_path: Path) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    old = server_certificate(certificates.ensure(tmp_path, NAMES, now=start))
    later = start + timedelta(days=certificates.SERVER_DAYS - 30)
    new = server_certificate(certificates.ensure(tmp_path, NAMES, now=later))
    assert new.not_valid_after_utc > old.not_valid_after_utc


def test_an_authority_near_its_end_is_replaced_with_all_it_issued(tmp_path: Path) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    first = certificates.ensure(tmp_path, NAMES, now=start)
    later = start + timedelta(days=certificates.AUTHORITY_DAYS - 100)
    second = certificates.ensure(tmp_path, NAMES, now=later)
    assert first.fingerprint != second.fingerprint
    authority = x509.load_pem_x509_certificate(second.authority.read_bytes())
    server_certificate(second).verify_directly_issued_by(authority)
