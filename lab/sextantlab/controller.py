# SPDX-License-Identifier: Apache-2.0
"""The stand-alone controller over a lab: its own installation under build/lab/, started, awaited, stopped."""

import json
import os
import re
import shutil
import tarfile
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from . import processes
from .errors import UserError
from .lab import Lab
from .paths import BUILD, relative
from .ports import port_holder
from .processes import Started
from .release import THIS, Release
from .rest import Rest
from .steps import go_on, is_ending, step
from .turns import Turns

_HTTP_PORT = 8181
_SSH_PORT = 8101
_SETTINGS = "org.sextant.cfg"
# Without any sign of progress; a busy machine takes longer, and shows that it goes on.
_BOOT_SECONDS = 120
_SYNC_SECONDS = 60
# However much it writes: a controller that starts again and again makes signs of progress, too.
_MOST_TIMES = 10
_STOP_SECONDS = 20
_UNPACKING = Turns(BUILD / "unpacking.lock")


class Controller:
    """A controller for the nodes of a lab. `with Controller(lab)` starts it and stops it again."""

    def __init__(self, lab: Lab, release: Release = THIS) -> None:
        self._lab = lab
        self._release = release
        self.instance = lab.instance.number
        self.data = lab.directory / "controller"
        self.console = lab.directory / "log" / "controller.log"
        self.log = self.data / "log" / "sextant.log"
        self.http_port = _HTTP_PORT + lab.instance.number
        self.ssh_port = _SSH_PORT + lab.instance.number
        self.url = f"http://127.0.0.1:{self.http_port}"
        self._pid_file = lab.directory / "controller.json"
        self._states: dict[str, str] = {}  # of the nodes, as last reported

    def __enter__(self) -> "Controller":
        try:
            self.install()
            self.start()
            self.await_ready()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def begin(self) -> None:
        """As `with`, but a controller that fails stays, for inspection; an interruption ends it."""
        try:
            self.install()
            self.start()
            self.await_ready()
        except UserError as error:
            raise UserError(
                f"{error}\nThe lab stays, to be looked at: logs are in {relative(self.log.parent)} and"
                f" {relative(self.console.parent)}; {self._lab.words('status')}; end it with {self._lab.words('down')}"
            ) from None
        except BaseException:
            self.stop()
            raise

    def install(self) -> None:
        """Unpacks the assembly, and deletes the data of an earlier controller."""
        if self.process() is not None:
            raise UserError(f"the controller of this lab is running already: {self._lab.words('down')}")
        shutil.rmtree(self.data, ignore_errors=True)
        self.unpack()
        self._configure()

    @_UNPACKING.taken()
    def unpack(self) -> None:
        """Unpacks the assembly if it is newer than the unpacked one."""
        installation, distribution = self._release.installation, self._release.distribution
        archives = sorted(distribution.glob("*.tar.gz"), key=lambda file: file.stat().st_mtime)
        if not archives:
            raise UserError(f"there is no assembly in {relative(distribution)}: ./sextant build")
        made = str(archives[-1].stat().st_mtime_ns)
        stamp = installation / "unpacked-from"
        if stamp.exists() and stamp.read_text() == made:
            return
        shutil.rmtree(installation, ignore_errors=True)
        fresh = installation.with_suffix(".new")
        shutil.rmtree(fresh, ignore_errors=True)
        # Debian 12 has Python 3.11.2; filters came with 3.11.4.
        careful = getattr(tarfile, "data_filter", lambda member, path: member)
        with step("unpack the controller"), tarfile.open(archives[-1]) as archive:
            archive.extraction_filter = careful
            archive.extractall(fresh)
        (only,) = fresh.iterdir()
        only.rename(installation)
        fresh.rmdir()
        stamp.write_text(made)

    def _configure(self) -> None:
        """Writes the paths of the certificates into etc; the first start leaves existing files alone."""
        if self._lab.tls is None:
            return
        text = (self._release.installation / "etc" / _SETTINGS).read_text()
        for key, value in self._lab.tls.settings().items():
            text = re.sub(rf"^{re.escape(key)} =.*$", f"{key} = {value}", text, flags=re.MULTILINE)
        etc = self.data / "etc"
        etc.mkdir(parents=True)
        (etc / _SETTINGS).write_text(text)

    def start(self) -> Started:
        """Starts the installed controller; its stored data is there again."""
        for port in (self.http_port, self.ssh_port):
            holder = port_holder("127.0.0.1", port)
            if holder:
                raise UserError(
                    f"port {port} of the controller is held by {holder}: stop it, or use SEXTANT_INSTANCE=1"
                )
        karaf = self._release.installation / "bin/karaf"
        started = processes.start([karaf, "daemon"], self.console, self._environment())
        self._pid_file.write_text(json.dumps(asdict(started)))
        return started

    def process(self) -> Started | None:
        """The running controller of this lab."""
        try:
            started = Started(**json.loads(self._pid_file.read_text()))
        except FileNotFoundError:
            return None
        return started if started.alive else None

    def stop(self) -> None:
        started = self.process()
        if started is not None:
            processes.stop(started, _STOP_SECONDS)
        self._pid_file.unlink(missing_ok=True)

    def kill(self) -> None:
        """kill -9, as a crash would."""
        processes.kill(self.running())

    def running(self) -> Started:
        """The process of this lab's controller, which must be there."""
        started = self.process()
        if started is None:
            raise UserError("the controller is not running")
        return started

    def rest(self, name: str = "admin") -> Rest:
        """REST as one of the users that the first start made."""
        return Rest(self.url, (name, self.password(name)))

    @property
    def credentials(self) -> Path:
        """Where the first start keeps the passwords, readable by its owner only."""
        return self.data / "etc" / "sextant" / "credentials"

    def password(self, name: str) -> str:
        for line in self.credentials.read_text().splitlines():
            user, _, password = line.partition("=")
            if user == name:
                return password
        raise UserError(f"{relative(self.credentials)} has no password for {name}")

    def await_ready(self) -> None:
        """Waits until REST answers and the controller has read every node."""
        self.await_answer()
        with step(f"{len(self._lab.network.nodes)} nodes are in step", self._unready_nodes):
            self._await(self._synced, _SYNC_SECONDS, "is not in step with its nodes")

    def await_answer(self) -> None:
        """Waits until REST answers, whatever the nodes do."""
        with step("controller answers", self._last_log_line):
            self._await(self._answers, _BOOT_SECONDS, "does not answer")

    def _await(self, condition: Callable[[], bool], seconds: float, problem: str) -> None:
        """Waits as long as there is progress: `seconds` from the last sign of it on."""
        began = time.monotonic()
        reached = processes.until_stalled(
            lambda: condition() or self.process() is None or is_ending(),
            self._progress,
            seconds,
            most=_MOST_TIMES * seconds,
        )
        go_on()
        if self.process() is None:
            raise self._failure("the controller ended")
        if not reached:
            took = time.monotonic() - began
            raise self._failure(
                f"the controller {problem} after {took:.0f} s, {seconds:.0f} s without progress"
                if took < _MOST_TIMES * seconds
                else f"the controller {problem} after {took:.0f} s"
            )

    def _progress(self) -> object:
        """Differs when the controller did something since: wrote to a log, installed a bundle, read a node."""
        cache = self.data / "data" / "cache"
        bundles = len(os.listdir(cache)) if cache.is_dir() else 0
        return bundles, [file.stat().st_size for file in self._logs()], self._states

    def _logs(self) -> list[Path]:
        """Where it may have written why it does not start, the most telling first."""
        return [file for file in (self.log, self.data / "log" / "karaf.log", self.console) if file.exists()]

    def _failure(self, what: str) -> UserError:
        """With the end of the first log that has something; of empty ones it says that they are."""
        written = [log for log in self._logs() if log.stat().st_size]
        if written:
            return processes.fail_with_log(what, written[0])
        running = self.process()
        state = "it ended" if running is None else f"it runs as process {running.pid}"
        return UserError(f"{what}; {state}, and wrote nothing to {relative(self.log)} or {relative(self.console)}")

    def _answers(self) -> bool:
        # Apps register one after the other; the last to come decides.
        return self.credentials.exists() and all(map(self.rest().serves, ("/srv6/nodes", "/srv6/policies")))

    def _synced(self) -> bool:
        states = self._states = {node["name"]: node["state"] for node in self.rest().get("/srv6/nodes")}
        return len(states) == len(self._lab.network.nodes) and set(states.values()) == {"SYNCED"}

    def _unready_nodes(self) -> str:
        nodes = self.rest().get("/srv6/nodes")
        return ", ".join(f"{node['name']} {node['state']}" for node in nodes if node["state"] != "SYNCED")

    def _last_log_line(self) -> str:
        return (self.log.read_text(errors="replace").splitlines() or [""])[-1] if self.log.exists() else ""

    def _environment(self) -> dict[str, str | None]:
        """The variables that platforms/karaf/README.md lists; nothing of the caller's shell leaks in."""
        foreign = dict.fromkeys(key for key in os.environ if key.startswith(("KARAF_", "SEXTANT_")))
        return foreign | {
            "SEXTANT_DATA": str(self.data),
            "SEXTANT_HTTP_PORT": str(self.http_port),
            "SEXTANT_SSH_PORT": str(self.ssh_port),
            "SEXTANT_NETWORK": str(self._lab.network_file),
        }
