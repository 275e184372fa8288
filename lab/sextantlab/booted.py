# SPDX-License-Identifier: Apache-2.0
"""A machine within this one: systemd as process 1 of namespaces, over this machine's files, which it cannot change."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from .errors import UserError
from .processes import until

_SYSTEMD = Path("/lib/systemd/systemd")
_BOOT_SECONDS = 60
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
# Mounts of the boot are the new mount namespace's and go with it. The last command becomes process 1.
_BOOT = r"""
set -e
scratch=$1 files=$2
mount --make-rprivate /
mount -t tmpfs tmpfs "$scratch"
mkdir "$scratch/upper" "$scratch/work" "$scratch/root"
root=$scratch/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$scratch/upper,workdir=$scratch/work" "$root"
cp -r "$files/." "$root/"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for name in $DEVICES; do touch "$root/dev/$name"; mount --bind "/dev/$name" "$root/dev/$name"; done
ln -s /proc/self/fd "$root/dev/fd"
mkdir "$root/dev/shm" "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
for bound in $BINDS; do mkdir -p "$root/${bound#*:}"; mount --bind "${bound%%:*}" "$root/${bound#*:}"; done
ip link set lo up
cd "$root"
mkdir -p old
pivot_root . old
umount -l /old
exec env -i container=sextant PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=basic.target --show-status=no
"""


def missing() -> str | None:
    """The missing parts on this machine to boot another one."""
    if os.geteuid() != 0:
        return "needs root; run: sudo ./sextant test lab"
    if not _SYSTEMD.exists() or shutil.which("systemctl") is None:
        return "needs systemd; run: sudo apt-get install systemd"
    for tool in ("unshare", "nsenter", "ip"):
        if shutil.which(tool) is None:
            return f"needs {tool}; run: sudo apt-get install util-linux iproute2"
    if "overlay" not in Path("/proc/filesystems").read_text():
        return "needs overlayfs; run: sudo modprobe overlay"
    if _cgroups() is None:
        return "needs a mounted cgroup2"
    return None


def _cgroups() -> Path | None:
    for line in Path("/proc/mounts").read_text().splitlines():
        _, where, kind, *_ = line.split()
        if kind == "cgroup2":
            return Path(where)
    return None


class Booted:
    """`with Booted(…)` boots it and ends it.

    `files` are copied over this machine's, `binds` are folders of it that are at other places as well.
    """

    def __init__(self, folder: Path, files: Path, binds: Mapping[Path, str]) -> None:
        self._folder, self._files = folder, files
        self._binds = binds
        self._cgroup = (_cgroups() or Path()) / f"sextant-{os.getpid()}-{id(self):x}"
        self._outer: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Booted":
        scratch = self._folder / "scratch"
        scratch.mkdir()
        self._cgroup.mkdir()
        environment = {
            **os.environ,
            "DEVICES": " ".join(_DEVICES),
            "BINDS": " ".join(f"{source}:{target}" for source, target in self._binds.items()),
        }
        join = 'echo $$ > "$1"; shift; exec unshare --mount --uts --ipc --net --cgroup --pid --fork --kill-child "$@"'
        with (self._folder / "console.log").open("wb") as console:
            self._outer = subprocess.Popen(
                [
                    "sh",
                    "-c",
                    join,
                    "sh",
                    self._cgroup / "cgroup.procs",
                    "bash",
                    "-c",
                    _BOOT,
                    "boot",
                    scratch,
                    self._files,
                ],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=console,
            )
        try:
            if not until(self._up, _BOOT_SECONDS):
                raise UserError(f"systemd does not boot within {_BOOT_SECONDS} s: {self._said()}")
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _up(self) -> bool:
        if self._outer is not None and self._outer.poll() is not None:
            raise UserError(f"systemd ended with {self._outer.returncode}: {self._said()}")
        return self._first() is not None and self.run("systemctl", "is-active", "basic.target").returncode == 0

    def _said(self) -> str:
        return (self._folder / "console.log").read_text(errors="replace").strip() or "it said nothing"

    def _first(self) -> int | None:
        """Process 1, by its number here."""
        assert self._outer is not None
        children = Path(f"/proc/{self._outer.pid}/task/{self._outer.pid}/children")
        try:
            (only,) = children.read_text().split()
            return int(only) if Path(f"/proc/{only}/comm").read_text().strip() == "systemd" else None
        except (ValueError, FileNotFoundError):
            return None

    def run(self, *words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        """A command in it, as root."""
        first = self._first()
        if first is None:
            raise UserError(f"systemd runs no more: {self._said()}")
        return subprocess.run(
            ["nsenter", "--target", str(first), "--all", "--root", "--wd", *words],
            env={"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def must(self, *words: str | Path, **environment: str) -> str:
        """The output of a command, which must succeed."""
        done = self.run(*words, **environment)
        if done.returncode != 0:
            raise UserError(f"{' '.join(map(str, words))}: {done.stdout}{done.stderr}")
        return done.stdout

    def log(self, unit: str) -> str:
        return self.run("journalctl", "--no-pager", "--output=cat", f"--unit={unit}").stdout

    def _end(self) -> None:
        """With process 1 all of its namespace end, and with them their mounts."""
        if self._outer is not None:
            first = self._first()
            if first is not None:
                os.kill(first, signal.SIGKILL)
            else:
                self._outer.kill()  # takes its child along
            self._outer.wait()
        deadline = time.monotonic() + _BOOT_SECONDS
        while self._cgroup.exists():
            try:
                for folder, _, _ in os.walk(self._cgroup, topdown=False):
                    os.rmdir(folder)
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
