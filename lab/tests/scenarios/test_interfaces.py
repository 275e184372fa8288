# SPDX-License-Identifier: Apache-2.0
"""The interfaces: the roles they require, their answers to bad input, and their agreement."""

import base64
import json
import os
import re
import socket
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
from sextantlab.paths import LAB, ROOT, relative
from sextantlab.rest import Rest
from story import EXAMPLES, Json, Story, example

# The ids of segment lists at a headend beside the four that each intent has.
_SHARED_LISTS = range(1 << 29, 0xF0000000)
PAPER = json.dumps(example("paper")).encode()


def test_nobody_gets_in_without_a_password(story: Story) -> None:
    nobody = Rest(story.controller.url, None)
    stranger = Rest(story.controller.url, ("admin", "admin"))
    for rest in (nobody, stranger):
        assert rest.call("GET", "/srv6/policies").status == 401
        assert rest.call("POST", "/srv6/policies", PAPER).status == 401


def test_a_viewer_reads_and_does_not_write(story: Story) -> None:
    viewer = story.controller.rest("viewer")
    assert viewer.call("GET", "/srv6/policies").status == 200
    assert viewer.call("GET", "/srv6/nodes").status == 200
    assert viewer.call("POST", "/srv6/policies", PAPER).status == 403
    stored = story.install(example("paper"))
    assert viewer.call("DELETE", f"/srv6/policies/{stored['id']}").status == 403
    assert viewer.call("POST", "/srv6/audit", b"{}").status == 403
    assert [policy["id"] for policy in story.rest.get("/srv6/policies")] == [stored["id"]]


def test_the_passwords_are_readable_by_their_owner_only(story: Story) -> None:
    assert story.controller.credentials.stat().st_mode & 0o777 == 0o600


BAD_BODIES = {
    "nothing": (b"", {400}),
    "no JSON": (b"{", {400}),
    "not UTF-8": (b'{"name": "\xff\xfe"}', {400}),
    "a number": (b"7", {400}),
    "an empty object": (b"{}", {400}),
    "huge": (b'{"name": "' + b"x" * 10_000_000 + b'"}', {400, 413}),
    "deeply nested": (b"[" * 100_000 + b"]" * 100_000, {400, 207}),
    "deeply nested inside": (b'{"nodes": ' + b"[" * 10_000 + b"]" * 10_000 + b"}", {400}),
    "wrong types": (json.dumps({"from": 1, "to": [], "nodes": "l1"}).encode(), {400}),
    "an unknown field": (json.dumps({**example("paper"), "colour": "red"}).encode(), {400}),
    "an unknown node": (json.dumps({**example("paper"), "nodes": ["l1", "x9", "l3"]}).encode(), {422}),
    "an unknown host": (json.dumps({**example("paper"), "to": "h99"}).encode(), {422}),
    "an unknown link": (
        json.dumps({"headend": "l1", "hops": [{"link": "l1-v8"}], "steering": ["h83"]}).encode(), {422}),
    "uSID 0": (
        json.dumps({"headend": "l1", "steering": ["h83"],
                    "hops": [{"block": "fcbb:bbbb::/32", "usids": ["0"]}]}).encode(), {400}),
    "two blocks in one container": (
        json.dumps({"headend": "l1", "steering": ["h83"],
                    "hops": [{"block": "fcbb:bbbb::/32", "usids": ["0200", "fcaa:aaaa:300::"]}]}).encode(), {400}),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_BODIES)
def test_bad_input_is_refused_and_changes_nothing(story: Story, name: str) -> None:
    body, statuses = BAD_BODIES[name]
    answer = story.rest.call("POST", "/srv6/policies", body)
    assert answer.status in statuses, answer.body
    assert story.rest.get("/srv6/policies") == []
    if answer.status in (400, 422):
        assert answer.headers["Content-Type"].startswith("application/problem+json")
        assert answer.body["errors"], answer.body
        assert all(error["message"] and error["remedy"] for error in answer.body["errors"])


def test_what_another_policy_steers_is_a_conflict_that_names_it(story: Story) -> None:
    story.install(example("paper"))
    rival: Json = {**example("paper"), "name": "rival", "nodes": ["l1", "l2", "l3"]}
    answer = story.post(rival)
    assert answer.status == 409
    assert "paper" in json.dumps(answer.body)
    assert [policy["id"] for policy in story.rest.get("/srv6/policies")] == ["paper"]


def test_a_path_longer_than_the_target_takes_is_refused(story: Story) -> None:
    there_and_back = ["l2", "p7"] * 60
    answer = story.post({"headend": "l1", "hops": [*there_and_back, "l2", "l3"], "steering": ["h33"]})
    assert answer.status in (400, 422), answer.body
    assert story.rest.get("/srv6/policies") == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_explain_says_what_the_dry_run_says(story: Story, name: str) -> None:
    words: list[str | Path] = [ROOT / "sextant", "explain", "--json", LAB / "policies" / f"{name}.json"]
    explained = json.loads(subprocess.check_output(words, stderr=subprocess.DEVNULL))
    assert _unnumbered(explained) == _unnumbered(story.post(example(name), dry_run=True).expect(200))


def _unnumbered(plan: Json) -> Json:
    """Without the numbers that a controller allocates in turn: of a binding SID, and of lists beside an intent's own.

    Intents that the network had before have taken the first ones.
    """
    text = json.dumps(plan)
    if sid := plan.get("bindingSid"):
        text = text.replace(sid.removesuffix("::"), "given")
    numbers = {int(number) for number in re.findall(r"\b\d{9,10}\b", text)}
    shared = sorted(number for number in numbers if number in _SHARED_LISTS)
    for rank, number in enumerate(shared):
        text = re.sub(rf"\b{number}\b", str(_SHARED_LISTS[rank]), text)
    unnumbered: Json = json.loads(text)
    return unnumbered


def sextant_cli(story: Story, *words: str) -> str:
    instance = {"SEXTANT_INSTANCE": str(story.lab.instance.number)}
    return subprocess.check_output([ROOT / "sextant", "cli", *words], text=True, env={**os.environ, **instance})


def test_the_shell_lists_what_rest_lists(story: Story) -> None:
    stored = story.install(example("paper"))
    listed = json.loads(sextant_cli(story, "srv6:policies", "--json"))
    assert [policy["id"] for policy in listed] == [stored["id"]]
    nodes = json.loads(sextant_cli(story, "srv6:nodes", "--json"))
    assert {node["name"] for node in nodes} == {node.name for node in story.lab.network.nodes}


def test_the_shell_adds_and_removes_policies(story: Story) -> None:
    sextant_cli(story, "srv6:policy-add", "h11", "h31", "l1", "l2", "l3")
    (policy,) = story.rest.get("/srv6/policies")
    assert policy["policy"]["nodes"] == ["l1", "l2", "l3"]
    sextant_cli(story, "srv6:policy-remove", policy["id"])
    assert story.rest.get("/srv6/policies") == []


def typed(story: Story, *words: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    """The output of a command that a user types in the shell."""
    env = {**os.environ, "SEXTANT_INSTANCE": str(story.lab.instance.number)}
    return subprocess.run(
        [ROOT / "sextant", "cli", *words], capture_output=True, text=True, env=env, check=False, **options
    )


def test_every_line_of_a_script_runs_and_the_first_failure_is_the_exit_status(story: Story) -> None:
    story.install(example("paper"))
    lines = ["# a comment", "srv6:nodes", "srv6:nonsense", "srv6:policies --frobnicate", "srv6:policy-remove absent",
             "x = $.context; srv6:policies"]  # fmt: skip
    done = typed(story, input="\n".join(lines))
    assert done.returncode == 1, done.stderr
    assert "SYNCED" in done.stdout
    assert "paper" in done.stdout, "the lines behind one that fails run, too"
    assert "line 3: Command not found: srv6:nonsense" in done.stderr
    assert "line 4: exit status 2: srv6:policies" in done.stderr
    assert "line 5: exit status 1: srv6:policy-remove" in done.stderr
    stopped = typed(story, "--stop-on-error", input="\n".join(lines))
    assert (stopped.returncode, "paper" in stopped.stdout) == (1, False)
    assert stopped.stderr.splitlines() == ["line 3: Command not found: srv6:nonsense"]
    assert typed(story, input="srv6:nodes\n").returncode == 0


def test_what_the_shell_refuses_is_an_error_in_plain_words(story: Story) -> None:
    for words, status, told in (
        (["srv6:policy", "nothing"], 1, 'there is no policy "nothing"\n    list the policies to see what there is\n'),
        (["srv6:policy-add", "h11", "h31", "l1", "l9"], 1, 'there is no node "l9"\n    did you mean l1?\n'),
        (["srv6:entries", "l11"], 1, 'there is no node "l11"\n    did you mean l1?\n'),
        (["srv6:node"], 2, "srv6:node: Missing required parameter: 'NODE' (srv6:node --help)\n"),
        (["frobnicate"], 1, "Command not found: frobnicate\n"),
    ):
        done = typed(story, *words)
        assert (done.returncode, done.stdout, done.stderr) == (status, "", told)


def test_what_the_shell_does_is_a_result_and_nothing_else(story: Story) -> None:
    done = typed(story, "srv6:policy-add", "h11", "h31", "l1", "l2", "l3", "--name", "gold")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("gold  INSTALLED since ")
    assert "\x1b" not in done.stdout
    assert typed(story, "srv6:nodes | grep l2").stdout.count("\n") == 1
    assert typed(story, input="srv6:policies\nsrv6:nodes\n").stdout.count("SYNCED") == len(story.lab.network.nodes)


def test_the_shell_lists_its_commands_and_each_has_an_example(story: Story) -> None:
    listed = [line.split()[0] for line in typed(story, "help").stdout.splitlines() if line.startswith("srv6:")]
    assert {"srv6:policy-add", "srv6:livelive-add", "srv6:audit"} <= set(listed)
    helped = typed(story, input="".join(f"{name} --help\n" for name in listed))  # all in one login
    assert helped.returncode == 0
    pages = helped.stdout.split("Usage: ")[1:]
    assert len(pages) == len(listed)
    for name, page in zip(listed, pages, strict=True):
        assert page.startswith(name)
        assert f"  {name}" in page.split("Example")[1], page


def test_a_file_is_one_of_the_machine_where_it_is_named(story: Story, tmp_path: Path) -> None:
    (tmp_path / "policy.json").write_text(json.dumps({**example("paper"), "name": "here"}))
    done = typed(story, "srv6:policy-add", "--file", "policy.json", cwd=tmp_path)
    assert done.stdout.startswith("here  INSTALLED"), done.stderr
    missing = typed(story, "srv6:policy-add", "--file", "absent.json", cwd=tmp_path)
    assert (missing.returncode, missing.stderr) == (1, "sextant: absent.json: No such file or directory\n")


def test_whoever_forgets_the_instance_is_told_where_the_controller_is(story: Story) -> None:
    number = story.lab.instance.number
    env = {**os.environ, "SEXTANT_INSTANCE": "0"}
    for words in (["cli", "srv6:nodes"], ["lab", "status"]):
        done = subprocess.run([ROOT / "sextant", *words], capture_output=True, text=True, env=env, check=False)
        assert done.returncode != 0
        # There may be others in this tree, of suites that run beside this one.
        assert re.search(rf"(in |INSTANCE=)(\d+, )*{number}\b", done.stderr), done.stderr


def test_who_reads_slowly_or_not_at_all_is_no_fault_in_the_log(story: Story) -> None:
    many = [
        {"headend": "l1", "hops": ["l2", "p7", "v8"], "steering": [f"2001:db8:{number:x}::/48"]}
        for number in range(400)
    ]
    story.post(many).expect(201)
    host, port = story.controller.url.removeprefix("http://").split(":")
    login = base64.b64encode(f"admin:{story.controller.password('admin')}".encode()).decode()
    for path in ("/srv6/policies", "/srv6/entries", "/srv6/events") * 5:
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            # Closing with something unread resets the connection in the middle of the answer.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.connect((host, int(port)))
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Basic {login}\r\n\r\n".encode())
            assert client.recv(100).startswith(b"HTTP/1.1 200")
    assert len(story.rest.get("/srv6/policies")) == len(many)
    story.rest.call("DELETE", "/srv6/policies?all=true").expect(200, 202)
    assert " ERROR " not in story.controller.log.read_text()


def test_the_interface_describes_itself(story: Story) -> None:
    openapi = story.rest.get("/srv6/openapi.json")
    assert {"get", "post", "delete"} <= set(openapi["paths"]["/policies"])
    assert story.described.problems() == []
    operations = [one for path in openapi["paths"].values() for one in path.values()]
    assert all({"401", "default"} <= set(one["responses"]) for one in operations)


def test_every_address_of_the_description_answers_as_it_says(story: Story) -> None:
    """Requests of stories are checked by themselves (described.py); here are the others."""
    rest = story.rest
    story.install(example("paper"))
    flow = {"name": "gold", "from": "h12", "to": "h32", "paths": 2}
    for body in (flow, flow, {**flow, "paths": 1}, {}):
        rest.call("POST", "/srv6/livelive?dryRun=true", json.dumps(body).encode())
        rest.call("POST", "/srv6/livelive", json.dumps(body).encode())
    for path in (
        *("topology", "session", "openapi.json", "nothing", "nodes", "nodes/l1", "nodes/x", "nodes/l1/entries?limit=3"),
        *("entries?state=installed", "entries?state=x", "entries?node=x", "livelive", "livelive/gold", "livelive/x"),
        *("policies/paper", "policies/x", "policies/paper/plan", "policies?limit=1"),
    ):
        rest.call("GET", f"/srv6/{path}")
    rest.call("POST", "/srv6/audit", b"")
    policies = [{**example("paper"), "name": "other"}, {"from": 7}, example("weighted"), example("raw-sids")]
    for query in ("?dryRun=true", ""):
        rest.call("POST", f"/srv6/policies{query}", json.dumps(policies).encode())
        rest.call("POST", f"/srv6/policies{query}", json.dumps(policies[2:]).encode())
    for path in ("livelive/gold", "livelive/gold", "policies/paper", "policies?source=h11", "policies?all=true"):
        rest.call("DELETE", f"/srv6/{path}")
    Rest(story.controller.url, None).call("GET", "/srv6/policies").expect(401)
    story.controller.rest("viewer").call("DELETE", "/srv6/policies?all=true").expect(403)


def test_explain_names_a_file_that_is_not_there() -> None:
    words: list[str | Path] = [ROOT / "sextant", "explain", relative(ROOT / "absent.json")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "absent.json" in done.stderr
