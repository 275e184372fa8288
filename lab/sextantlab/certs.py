# SPDX-License-Identifier: Apache-2.0
"""`./sextant certs`: an authority, a certificate for every node of a description, for the controller and for a monitor.

Keys are readable by their owner only, no file is overwritten unless asked for, and every file is exchanged as a whole,
as agents and the controller read them again while they run.
"""

import datetime
import ipaddress
import json
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from . import durable, network
from .errors import UserError
from .paths import relative
from .tls import CONTROLLER, MONITOR, NODE_UNIT, UNITS, Folder, Pair

DAYS = 365
_CA_DAYS = 3650
# Clocks differ.
_BEFORE = datetime.timedelta(hours=1)
# The least that a lab needs, so that no certificate ends under it.
_LAB_DAYS = 2
_SOON_DAYS = 30


@dataclass(frozen=True)
class Wanted:
    """The subject of a certificate, and where it goes."""

    name: str
    unit: str
    pair: Pair
    hosts: tuple[str, ...] = ()

    @property
    def extended_usage(self) -> x509.ObjectIdentifier:
        """Nodes are servers and nothing else: a key stolen from one opens no other."""
        return ExtendedKeyUsageOID.SERVER_AUTH if self.unit == NODE_UNIT else ExtendedKeyUsageOID.CLIENT_AUTH


@dataclass(frozen=True)
class Authority:
    """A certificate authority."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


# --- the commands


def make(folder: Folder, nodes: Iterable[network.Node], days: int = DAYS, *, force: bool = False) -> list[str]:
    """Makes the missing files; all of them with `force`. Returns the new ones, as paths."""
    if force or not folder.ca.exists():
        _refuse_to_lose(folder, force)
        _begin(folder)
    authority = _authority(folder)
    made = []
    for one in _everybody(folder, nodes):
        if force or not _is_whole(one.pair):
            _sign(authority, one, days)
            made.append(relative(one.pair.certificate))
    return made


def rotate(folder: Folder, names: Sequence[str] = (), days: int = DAYS) -> list[str]:
    """Certificates like those that are there, with new keys, by the authority that signs now; returns their names."""
    authority = _authority(folder)
    chosen = _chosen(folder, names)
    for one in chosen:
        _sign(authority, one, days)
    _write_lists(folder, {})
    return [one.name for one in chosen]


def begin_ca(folder: Folder) -> str:
    """An authority that signs from now on, beside the one that is trusted still; returns its name."""
    trusted = _authorities(folder)
    if len(trusted) > 1:
        raise UserError(
            f"{relative(folder.ca)} has two authorities already: ./sextant certs rotate, and then --drop-old-ca"
        )
    _authority(folder)
    old_key = folder.ca_key.read_bytes()
    fresh = _new_authority()
    durable.replace(folder.old_ca_key, old_key, 0o600)
    durable.replace(folder.ca_key, _private(fresh.key), 0o600)
    durable.replace(folder.ca, _pem(fresh.certificate) + _pem(trusted[0]), 0o644)
    _write_lists(folder, {})
    return _name(fresh.certificate.subject)


def drop_ca(folder: Folder) -> str:
    """Ends the trust in the authority that left; raises UserError if something that it signed is in use."""
    trusted = _authorities(folder)
    if len(trusted) < 2:
        raise UserError(f"{relative(folder.ca)} has one authority: ./sextant certs rotate --new-ca makes another")
    old = trusted[1]
    left = [one.name for one in _present(folder) if _read(one.pair.certificate).issuer == old.subject]
    if left:
        raise UserError(
            f"{', '.join(left)}: signed by {_name(old.subject)}, which is to go: ./sextant certs rotate first"
        )
    durable.replace(folder.ca, _pem(trusted[0]), 0o644)
    durable.remove(folder.old_ca_key)
    _write_lists(folder, {})
    return _name(old.subject)


def revoke(folder: Folder, names: Sequence[str]) -> list[str]:
    """Puts the certificates that are there now on the list. Returns their serial numbers, in hex."""
    if not names:
        raise UserError("revoke whom? Give names that ./sextant certs show lists")
    fresh: dict[bytes, dict[int, datetime.datetime]] = {}
    serials = []
    for one in _chosen(folder, names):
        certificate = _read(one.pair.certificate)
        issuer = certificate.issuer.public_bytes()
        fresh.setdefault(issuer, {})[certificate.serial_number] = _now()
        serials.append(f"{certificate.serial_number:x}")
    _write_lists(folder, fresh)
    return serials


def show(folder: Folder) -> list[dict[str, Any]]:
    """The certificates: a row for each."""
    now = _now()
    revoked = _revoked(folder)
    rows = [
        _row(certificate, "ca", _name(certificate.subject), folder.ca, now, revoked)
        for certificate in _authorities(folder)
    ]
    for one in _present(folder):
        certificate = _read(one.pair.certificate)
        rows.append(_row(certificate, one.unit.removeprefix("sextant-"), one.name, one.pair.certificate, now, revoked))
    return rows


def ensure(folder: Folder, nodes: Sequence[network.Node]) -> None:
    """The certificates of a lab: files that are there and good for it stay."""
    try:
        good = _good_for(folder, nodes)
    except (UserError, OSError, ValueError):
        good = False
    if not good:
        make(folder, nodes, force=True)


def _good_for(folder: Folder, nodes: Sequence[network.Node]) -> bool:
    (authority,) = _authorities(folder)
    end = _now() + datetime.timedelta(days=_LAB_DAYS)
    revoked = _revoked(folder).get(authority.subject.public_bytes(), {})
    for one in _everybody(folder, nodes):
        certificate = _read(one.pair.certificate)
        certificate.verify_directly_issued_by(authority)
        if certificate.not_valid_after_utc < end or certificate.serial_number in revoked:
            return False
        if set(_hosts(certificate)) != set(one.hosts) or _unit(certificate) != one.unit or not _is_whole(one.pair):
            return False
    return True


# --- the subjects


def _everybody(folder: Folder, nodes: Iterable[network.Node]) -> Iterator[Wanted]:
    for name, unit in UNITS.items():
        yield Wanted(name, unit, folder.client(name))
    for node in nodes:
        # A name with a colon is none of DNS.
        names = (node.host,) if ":" in node.name or node.name == node.host else (node.host, node.name)
        yield Wanted(node.name, NODE_UNIT, folder.node(node.name), names)


def _present(folder: Folder) -> Iterator[Wanted]:
    """By the certificates that are there."""
    for name in (CONTROLLER, MONITOR):
        if folder.client(name).certificate.exists():
            yield Wanted(name, UNITS[name], folder.client(name))
    for file in sorted((folder.path / "nodes").glob("*.crt")):
        yield Wanted(file.stem, NODE_UNIT, folder.node(file.stem), tuple(_hosts(_read(file))))


def _chosen(folder: Folder, names: Sequence[str]) -> list[Wanted]:
    """The certificates of these names, or all."""
    _authorities(folder)
    present = list(_present(folder))
    if not names:
        return present
    known = {one.name: one for one in present}
    for name in names:
        if name not in known:
            raise UserError(f"{relative(folder.path)} has no certificate of {name}; there are {', '.join(known)}")
    return [known[name] for name in dict.fromkeys(names)]


def _hosts(certificate: x509.Certificate) -> list[str]:
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    return [str(name.value) for name in names]


def _unit(certificate: x509.Certificate) -> str:
    return "".join(
        str(part.value) for part in certificate.subject.get_attributes_for_oid(NameOID.ORGANIZATIONAL_UNIT_NAME)
    )


def _name(subject: x509.Name) -> str:
    return str(subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)


def _row(
    certificate: x509.Certificate,
    role: str,
    name: str,
    file: Path,
    now: datetime.datetime,
    revoked: dict[bytes, dict[int, datetime.datetime]],
) -> dict[str, Any]:
    days = (certificate.not_valid_after_utc - now).days
    state = "ok" if days > _SOON_DAYS else "ends soon"
    if now > certificate.not_valid_after_utc:
        state = "expired"
    elif now < certificate.not_valid_before_utc:
        state = "not yet valid"
    if certificate.serial_number in revoked.get(certificate.issuer.public_bytes(), {}):
        state = "revoked"
    return {
        "name": name,
        "role": role,
        "state": state,
        "until": certificate.not_valid_after_utc.isoformat(timespec="seconds"),
        "days": days,
        "names": _hosts(certificate),
        "issuer": _name(certificate.issuer),
        "serial": f"{certificate.serial_number:x}",
        "file": relative(file),
    }


# --- making


def _refuse_to_lose(folder: Folder, force: bool) -> None:
    """An authority that is made anew makes all that it signed worthless."""
    there = [] if force else sorted(folder.path.rglob("*.key"))
    if there:
        raise UserError(
            f"{relative(there[0])} is there, and {relative(folder.ca)} is not: bring it back, or --force makes all anew"
        )


def _begin(folder: Folder) -> None:
    durable.make_folder(folder.path / "nodes")
    # Files of nodes that are no longer in the topology file, and of an authority that is no longer trusted.
    for one in [*(folder.path / "nodes").iterdir(), folder.old_ca_key, folder.crl]:
        one.unlink(missing_ok=True)
    durable.sync_folder(folder.path / "nodes")
    authority = _new_authority()
    durable.replace(folder.ca_key, _private(authority.key), 0o600)
    durable.replace(folder.ca, _pem(authority.certificate), 0o644)
    _write_lists(folder, {})


def _new_authority() -> Authority:
    key = ec.generate_private_key(ec.SECP256R1())
    # Two of one name could not be distinguished.
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Sextant CA {secrets.token_hex(4)}")])
    own = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    certificate = (
        _builder(name, name, key, _now() + datetime.timedelta(days=_CA_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_others=True), critical=True)
        .add_extension(own, critical=False)
        .sign(key, hashes.SHA256())
    )
    return Authority(certificate, key)


def _sign(authority: Authority, one: Wanted, days: int) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([
        x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, one.unit),
        # RFC 5280, upper bound of a common name: 64.
        x509.NameAttribute(NameOID.COMMON_NAME, one.name[:64]),
    ])  # fmt: skip
    signer = authority.certificate
    end = min(_now() + datetime.timedelta(days=days), signer.not_valid_after_utc)
    identifier = signer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    builder = (
        _builder(subject, signer.subject, key, end)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_others=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([one.extended_usage]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier), critical=False)
    )
    if one.hosts:
        names = x509.SubjectAlternativeName([_general_name(host) for host in one.hosts])
        builder = builder.add_extension(names, critical=False)
    certificate = builder.sign(authority.key, hashes.SHA256())
    durable.make_folder(one.pair.key.parent)
    durable.replace(one.pair.key, _private(key), 0o600)
    durable.replace(one.pair.certificate, _pem(certificate), 0o644)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, end: datetime.datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_now() - _BEFORE)
        .not_valid_after(end)
    )


def _usage(*, signs_others: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_others, key_cert_sign=signs_others, crl_sign=signs_others,
        content_commitment=False, key_encipherment=False, data_encipherment=False, key_agreement=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _write_lists(folder: Folder, fresh: dict[bytes, dict[int, datetime.datetime]]) -> None:
    """A list for each authority: its former content, and the additions."""
    revoked = _revoked(folder)
    body = b""
    keys = (folder.ca_key, folder.old_ca_key)
    for certificate, key_file in zip(_authorities(folder), keys, strict=False):
        issuer = certificate.subject.public_bytes()
        entries = {**fresh.get(issuer, {}), **revoked.get(issuer, {})}
        number = int(_now().timestamp() * 1000)
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(certificate.subject)
            .last_update(_now() - _BEFORE)
            .next_update(certificate.not_valid_after_utc)
            .add_extension(x509.CRLNumber(number), critical=False)
        )
        for serial, when in entries.items():
            one = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(when).build()
            builder = builder.add_revoked_certificate(one)
        key = _key(key_file)
        body += builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    durable.replace(folder.crl, body, 0o644)


# --- files


def _authority(folder: Folder) -> Authority:
    """Raises UserError if the key is not the authority's: no node would accept its signatures."""
    certificate, key = _authorities(folder)[0], _key(folder.ca_key)
    if not _belongs(key, certificate) and folder.old_ca_key.exists():
        # A crash was between the key of a new authority and its certificate: nothing is signed with it yet.
        key = _key(folder.old_ca_key)
        if _belongs(key, certificate):
            durable.replace(folder.ca_key, folder.old_ca_key.read_bytes(), 0o600)
            durable.remove(folder.old_ca_key)
    if not _belongs(key, certificate):
        raise UserError(
            f"{relative(folder.ca_key)} is not {relative(folder.ca)}'s: bring its key back, or --force makes all anew"
        )
    return Authority(certificate, key)


def _belongs(key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> bool:
    return key.public_key() == certificate.public_key()


def _is_whole(pair: Pair) -> bool:
    """False if a file is missing, or a crash left the new key beside the old certificate."""
    if not (pair.certificate.exists() and pair.key.exists()):
        return False
    try:
        key = serialization.load_pem_private_key(pair.key.read_bytes(), None)
    except (ValueError, TypeError):
        return True  # no key that this made: it stays as it is
    return key.public_key() == _read(pair.certificate).public_key()


def _authorities(folder: Folder) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(folder.ca.read_bytes())
    except FileNotFoundError:
        raise UserError(f"there is no {relative(folder.ca)}: ./sextant certs make DESCRIPTION makes one") from None
    except ValueError as error:
        raise UserError(f"{relative(folder.ca)} holds no certificate: {error}") from None


def _key(file: Path) -> ec.EllipticCurvePrivateKey:
    try:
        key = serialization.load_pem_private_key(file.read_bytes(), None)
    except FileNotFoundError:
        raise UserError(
            f"there is no {relative(file)}: its key signs all certificates; --force creates all of them anew"
        ) from None
    except (ValueError, TypeError) as error:
        raise UserError(f"{relative(file)} holds no private key: {error}") from None
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise UserError(f"{relative(file)} is no key that ./sextant certs made")
    return key


def _read(file: Path) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificate(file.read_bytes())
    except ValueError as error:
        raise UserError(f"{relative(file)} holds no certificate: {error}") from None


def _revoked(folder: Folder) -> dict[bytes, dict[int, datetime.datetime]]:
    """The revoked certificates, by issuer."""
    if not folder.crl.exists():
        return {}
    end = b"-----END X509 CRL-----\n"
    try:
        lists = [
            x509.load_pem_x509_crl(part + end) for part in folder.crl.read_bytes().split(end) if part.strip()
        ]  # fmt: skip
    except ValueError as error:
        raise UserError(f"{relative(folder.crl)} holds no list of what is revoked: {error}") from None
    return {
        one.issuer.public_bytes(): {entry.serial_number: entry.revocation_date_utc for entry in one} for one in lists
    }


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def text(rows: list[dict[str, Any]], *, as_json: bool) -> str:
    """The output of `show`."""
    if as_json:
        return json.dumps(rows, indent=2)
    header = {key: key.upper() for key in ("name", "role", "state", "days", "until", "names")}
    table = [header, *({**row, "names": " ".join(row["names"]), "days": str(row["days"])} for row in rows)]
    widths = {key: max(len(row[key]) for row in table) for key in header}
    return "\n".join("  ".join(row[key].ljust(widths[key]) for key in header).rstrip() for row in table)
