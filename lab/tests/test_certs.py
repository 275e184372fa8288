# SPDX-License-Identifier: Apache-2.0
"""./sextant certs: the content of the files, their permissions, and their changes."""

import copy
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from sextantlab import certs, network
from sextantlab.errors import UserError
from sextantlab.paths import ROOT
from sextantlab.tls import Folder
from small import SMALL

NODES = network.parse(SMALL).nodes


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    made = Folder(tmp_path / "certs")
    certs.make(made, NODES)
    return made


def certificate(file: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(file.read_bytes())


def contents(folder: Folder) -> dict[str, bytes]:
    return {str(file.relative_to(folder.path)): file.read_bytes() for file in folder.path.rglob("*") if file.is_file()}


def states(folder: Folder) -> dict[str, str]:
    return {row["name"]: row["state"] for row in certs.show(folder) if row["role"] != "ca"}


def openssl_takes(folder: Folder, file: Path, purpose: str, name: str = "127.0.0.1") -> str:
    """The error of another library about a certificate; "" if none."""
    server = ["-verify_ip", name] if purpose == "sslserver" else []
    words = ["openssl", "verify", "-x509_strict", "-crl_check", "-CAfile", str(folder.ca), "-CRLfile", str(folder.crl)]
    done = subprocess.run(
        [*words, "-purpose", purpose, *server, str(file)], capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else done.stderr + done.stdout


def test_there_is_a_certificate_for_everybody(folder: Folder) -> None:
    rows = {row["name"]: row for row in certs.show(folder) if row["role"] != "ca"}
    assert {name: (row["role"], row["names"]) for name, row in rows.items()} == {
        "controller": ("controller", []),
        "monitor": ("monitor", []),
        "a": ("node", ["127.0.0.1", "a"]),
        "b": ("node", ["127.0.0.1", "b"]),
    }
    subject = certificate(folder.client("controller").certificate).subject.rfc4514_string()
    assert subject == "CN=controller,OU=sextant-controller"


def test_keys_are_their_owners_alone(folder: Folder) -> None:
    modes = {file.suffix: file.stat().st_mode & 0o777 for file in folder.path.rglob("*") if file.is_file()}
    assert modes == {".key": 0o600, ".crt": 0o644, ".crl": 0o644}


def test_nodes_are_servers_and_others_are_clients(folder: Folder) -> None:
    node, monitor = folder.node("a").certificate, folder.client("monitor").certificate
    assert openssl_takes(folder, node, "sslserver") == ""
    assert openssl_takes(folder, monitor, "sslclient") == ""
    assert "purpose" in openssl_takes(folder, node, "sslclient")
    assert "purpose" in openssl_takes(folder, monitor, "sslserver")
    assert "mismatch" in openssl_takes(folder, node, "sslserver", "192.0.2.1")


def test_what_is_there_stays(folder: Folder) -> None:
    before = contents(folder)
    assert certs.make(folder, NODES) == []
    assert contents(folder) == before


def test_a_node_that_joins_gets_one_by_the_same_authority(folder: Folder) -> None:
    before = contents(folder)
    more = copy.deepcopy(SMALL)
    more["devices"]["device:c"] = {"basic": {"name": "c", "managementAddress": "grpc://c.example:9559?device_id=3"}}
    assert len(certs.make(folder, network.parse(more).nodes)) == 1
    assert before.items() <= contents(folder).items()
    assert states(folder)["c"] == "ok"


def test_by_force_all_is_made_anew(folder: Folder) -> None:
    before = contents(folder)
    certs.make(folder, NODES, force=True)
    assert all(body != before[name] for name, body in contents(folder).items())


@pytest.mark.parametrize("lost", ["ca.crt", "ca.key"])
def test_without_its_authority_nothing_is_overwritten(folder: Folder, lost: str) -> None:
    (folder.path / lost).unlink()
    folder.node("b").certificate.unlink()
    before = contents(folder)
    with pytest.raises(UserError, match=rf"{lost}|ca.key.*is there"):
        certs.make(folder, NODES)
    assert contents(folder) == before


def test_rotating_gives_new_keys_and_revokes_nothing(folder: Folder) -> None:
    before = contents(folder)
    assert certs.rotate(folder, ["a"]) == ["a"]
    changed = {name for name, body in contents(folder).items() if body != before[name]}
    assert changed == {"nodes/a.crt", "nodes/a.key", "ca.crl"}
    assert openssl_takes(folder, folder.node("a").certificate, "sslserver") == ""
    with pytest.raises(UserError, match="no certificate of z; there are controller, monitor, a, b"):
        certs.rotate(folder, ["z"])


def test_what_is_revoked_stays_revoked_and_its_successor_counts(folder: Folder) -> None:
    certs.revoke(folder, ["a"])
    assert states(folder) == {"controller": "ok", "monitor": "ok", "a": "revoked", "b": "ok"}
    assert "revoked" in openssl_takes(folder, folder.node("a").certificate, "sslserver")
    old = folder.node("a").certificate.read_bytes()
    certs.rotate(folder, ["a"])
    certs.revoke(folder, ["monitor"])
    assert states(folder) == {"controller": "ok", "monitor": "revoked", "a": "ok", "b": "ok"}
    (folder.path / "old.crt").write_bytes(old)
    assert "revoked" in openssl_takes(folder, folder.path / "old.crt", "sslserver")


def test_an_authority_follows_another_without_a_moment_of_mistrust(folder: Folder) -> None:
    certs.revoke(folder, ["b"])
    early = folder.path / "early.crt"
    early.write_bytes(folder.node("a").certificate.read_bytes())
    certs.begin_ca(folder)
    with pytest.raises(UserError, match="has two authorities already"):
        certs.begin_ca(folder)
    assert openssl_takes(folder, early, "sslserver") == ""
    assert states(folder)["b"] == "revoked"
    certs.rotate(folder, ["a"])
    assert openssl_takes(folder, early, "sslserver") == ""
    assert openssl_takes(folder, folder.node("a").certificate, "sslserver") == ""
    with pytest.raises(UserError, match="^controller, monitor, b: signed by Sextant CA .* which is to go"):
        certs.drop_ca(folder)
    certs.rotate(folder)
    certs.drop_ca(folder)
    assert openssl_takes(folder, early, "sslserver") != ""
    assert set(states(folder).values()) == {"ok"}
    assert not folder.old_ca_key.exists()


def _moved(_: Folder) -> Any:
    moved = copy.deepcopy(SMALL)
    moved["devices"]["device:a"]["basic"]["managementAddress"] = "grpc://127.0.0.2:20151?device_id=1"
    return moved


def _revoked(folder: Folder) -> Any:
    certs.revoke(folder, ["controller"])
    return SMALL


def _ends(folder: Folder) -> Any:
    certs.rotate(folder, ["b"], days=1)
    return SMALL


def _garbage(folder: Folder) -> Any:
    folder.node("b").certificate.write_text("garbage")
    return SMALL


def _lost(folder: Folder) -> Any:
    folder.client("controller").key.unlink()
    return SMALL


def test_a_lab_keeps_what_is_good_for_it(folder: Folder) -> None:
    before = contents(folder)
    certs.ensure(folder, NODES)
    assert contents(folder) == before


@pytest.mark.parametrize("spoil", [_moved, _revoked, _ends, _garbage, _lost])
def test_a_lab_makes_anew_what_is_not(folder: Folder, spoil: Callable[[Folder], Any]) -> None:
    nodes = network.parse(spoil(folder)).nodes
    certs.ensure(folder, nodes)
    assert set(states(folder).values()) == {"ok"}
    for node in nodes:
        assert openssl_takes(folder, folder.node(node.name).certificate, "sslserver", node.host) == ""


def test_the_controller_is_told_where_they_are_by_settings_that_it_has(folder: Folder) -> None:
    described = (ROOT / "platforms/karaf/distribution/src/main/resources/etc/org.sextant.cfg").read_text()
    assert all(f"\n{key} =\n" in described for key in folder.settings())
    assert all(Path(file).is_file() for file in folder.settings().values())


def sextant(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    words = ("certs", *words, "--in", str(folder))
    return subprocess.run([ROOT / "sextant", *words], capture_output=True, text=True, check=False, timeout=120)


def test_the_command_makes_shows_revokes_and_says_by_its_exit_code_what_counts(tmp_path: Path) -> None:
    made = sextant(tmp_path, "make", "fig4", "--days", "100")
    assert made.returncode == 0, made.stderr
    assert "10 certificates made" in made.stderr
    shown = sextant(tmp_path, "show", "--json")
    rows = {row["name"]: row for row in json.loads(shown.stdout)}
    assert (shown.returncode, rows["l1"]["state"], rows["l1"]["days"]) == (0, "ok", 99)
    assert sextant(tmp_path, "revoke", "l1").returncode == 0
    again = sextant(tmp_path, "show")
    assert again.returncode == 1
    assert "l1" in next(line for line in again.stdout.splitlines() if "revoked" in line)
    refused = sextant(tmp_path, "revoke", "nobody")
    assert (refused.returncode, len(refused.stderr.splitlines())) == (1, 1)
