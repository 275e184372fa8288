# SPDX-License-Identifier: Apache-2.0
"""A backup of the running controller, and a restore of it under traffic."""

import contextlib
import json
import os
import socket
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
from sextantlab import backup, netns, store_file
from sextantlab.paths import ROOT
from sextantlab.processes import until
from sextantlab.rest import Rest, authorization
from story import Json, Story, example

_PATIENCE_SECONDS = 60
_CLIENTS_GONE = 20


def sextant(story: Story, *words: str | Path) -> "subprocess.CompletedProcess[str]":
    env = {**os.environ, "SEXTANT_INSTANCE": str(story.lab.instance.number)}
    return subprocess.run([ROOT / "sextant", *words], capture_output=True, text=True, check=False, env=env)


def printed(story: Story, *words: str | Path) -> Any:
    """The JSON that a command prints."""
    done = sextant(story, *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def steering(name: str, prefix: str, *hops: str) -> Json:
    return {"name": name, "headend": "l1", "steering": [prefix], "hops": list(hops)}


@pytest.mark.slow
def test_a_restored_controller_disturbs_no_policy_that_did_not_change(story: Story, tmp_path: Path) -> None:
    story.install(example("paper"))
    story.install(steering("changed", "2001:db8:77::/64", "l2", "l3"))
    story.install(steering("removed-since", "2001:db8:88::/64", "l2"))
    assert story.reaches("h11", "h31")
    file = tmp_path / "backup.db"
    made = printed(story, "backup", file)
    assert made["maps"]["intents"] == 3
    assert "access-tokens" not in made["maps"]

    story.install(steering("changed", "2001:db8:77::/64", "l2", "p7", "v8", "p6", "v4", "l3"))
    story.rest.delete("/srv6/policies/removed-since")
    story.install(steering("added-since", "2001:db8:99::/64", "l2"))
    differences = {
        "added": ["policy/removed-since"],
        "removed": ["policy/added-since"],
        "changed": ["policy/changed"],
        "unchanged": 1,
        "networkChanged": False,
    }
    assert sextant(story, "restore", file).returncode == 1, "the controller runs"
    dry = printed(story, "restore", file, "--dry-run")
    assert {name: dry[name] for name in differences} == differences
    assert story.whole()

    with story.pinging("h11", "h31") as pings:
        assert pings.await_replies(10, 10)
        story.controller.stop()
        assert printed(story, "store", "check")["problems"] == []
        done = printed(story, "restore", file)
        assert {name: done[name] for name in differences} == differences
        assert store_file.checked(Path(done["kept"])).problems == []
        log_configuration_service(story)
        story.controller.start()
        story.controller.await_ready()
        assert until(story.whole, _PATIENCE_SECONDS)
        assert pings.await_replies(100, 10)
        assert pings.lost() == 0
    assert until(lambda: policies(story) == ["changed", "paper", "removed-since"], _PATIENCE_SECONDS)
    assert "fcbb:bbbb:200:300:f00d::" in route(story, "2001:db8:77::/64"), "as in the backup"
    assert route(story, "2001:db8:88::/64")
    assert until(lambda: _audited_without(story, "2001:db8:99::/64"), _PATIENCE_SECONDS, 1), "orphans are removed"
    log = story.controller.log.read_text()
    assert log.count("event=restored") == 1
    assert '"added":1,"removed":1,"changed":1,"unchanged":1' in log
    assert "Running task ManagedService Update: pid=[org.ops4j.pax.logging]" in log, "the log waits for its settings"
    # Numbers that its orphaned entries had are free again: nothing of the former store is left over.
    assert until(lambda: "leftovers" not in printed(story, "store", "check")["maps"], _PATIENCE_SECONDS)


def _audited_without(story: Story, prefix: str) -> bool:
    """Audits the nodes, which the controller does twice a minute by itself."""
    story.rest.post("/srv6/audit", {})
    return not route(story, prefix)


def log_configuration_service(story: Story) -> None:
    """Has the log show when the configuration service delivers the settings of the log itself."""
    settings = story.controller.data / "etc" / "org.ops4j.pax.logging.cfg"
    logger = "log4j2.logger.configurations"
    added = f"{logger}.name = org.apache.felix.configadmin\n{logger}.level = DEBUG\n"
    settings.write_text(settings.read_text() + added)


def policies(story: Story) -> list[str]:
    return [policy["id"] for policy in story.rest.get("/srv6/policies")]


def route(story: Story, prefix: str) -> str:
    return netns.ip("-6", "route", "show", prefix, namespace=story.namespace("l1"))


def test_a_store_is_checked_while_its_controller_writes_it(story: Story) -> None:
    story.install(example("paper"))
    done = sextant(story, "store", "check")
    assert done.returncode == 0, done.stderr
    assert "every page and every entry can be read" in done.stdout
    assert story.whole()
    story.install(steering("after", "2001:db8:77::/64", "l2"))


def test_a_client_that_goes_away_leaves_nothing(story: Story, tmp_path: Path) -> None:
    before = story.controller.log.stat().st_size
    user = authorization(("admin", story.controller.password("admin")))["Authorization"]
    request = f"POST /srv6/store/backups HTTP/1.1\r\nHost: a\r\nAuthorization: {user}\r\nContent-Length: 0\r\n\r\n"
    for place in range(_CLIENTS_GONE):
        with contextlib.closing(socket.create_connection(("127.0.0.1", story.controller.http_port))) as client:
            client.sendall(request.encode())
            if place % 2:
                assert client.recv(100).startswith(b"HTTP/1.1 200")
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
    assert printed(story, "backup", tmp_path / "backup.db")["problems"] == []
    folder = story.controller.data / "store"
    assert until(lambda: not list(folder.glob("copy-*")), _PATIENCE_SECONDS)
    with story.controller.log.open("rb") as log:
        log.seek(before)
        faults = [line for line in log if b"\tat " in line or b" ERROR " in line]
    assert not faults, b"".join(faults[:20]).decode(errors="replace")


def test_only_an_administrator_gets_a_backup_and_that_leaves_a_line(story: Story, tmp_path: Path) -> None:
    for rest, status in ((story.controller.rest("viewer"), 403), (Rest(story.controller.url, None), 401)):
        assert rest.call("POST", "/srv6/store/backups", b"").status == status
    admin = backup.Source(story.controller.url, "admin", story.controller.password("admin"))
    assert backup.take(admin, tmp_path / "backup.db", force=False).problems == []
    lines = story.rest.get("/srv6/audit?limit=2&resource=store")
    assert [(line["user"], line["resource"], line["outcome"]) for line in lines] == [
        ("admin", "store/backups", "done"),
        ("viewer", "store/backups", "denied"),
    ]
