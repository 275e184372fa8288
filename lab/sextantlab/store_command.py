# SPDX-License-Identifier: Apache-2.0
"""`./sextant backup`, `restore` and `store check`: which controller is meant, and how results are printed."""

import argparse
import datetime
import json
import os
import re
from pathlib import Path
from typing import Any

from . import backup, restore, store_file
from .controller import Controller
from .errors import UserError
from .lab import Lab
from .steps import say

_SHOWN = 20


def back_up(options: argparse.Namespace) -> int:
    """0, or UserError."""
    report = backup.take(_source(options), options.file.absolute(), force=options.force)
    if options.json:
        print(json.dumps({**report.as_json(), "bytes": options.file.stat().st_size}))
    else:
        print(f"{options.file}: {_counts(report)}, {options.file.stat().st_size} bytes, of {report.made}")
        for problem in report.problems:
            say(f"note: the store has an entry that cannot be read: {problem}")
    return 0


def _source(options: argparse.Namespace) -> backup.Source:
    if options.controller is None:
        running = next((one for one in _controllers() if one.process()), None)
        if running is None:
            raise UserError("no controller is running here: name one with --controller URL --credentials FILE")
        return backup.Source(running.url, options.user, running.password(options.user))
    return backup.Source(
        options.controller, options.user, _password(options.credentials, options.user), options.controller_ca
    )


def _password(credentials: Path, user: str) -> str:
    try:
        for line in credentials.read_text().splitlines():
            name, _, password = line.partition("=")
            if name == user:
                return password
    except OSError as error:
        raise UserError(f"{credentials} cannot be read: {error.strerror}") from None
    raise UserError(f"{credentials} has no line {user}=PASSWORD")


def _controllers() -> list[Controller]:
    return [Controller(lab) for lab in Lab.up_now()]


def restored(options: argparse.Namespace) -> int:
    """0, or UserError."""
    now = datetime.datetime.now(datetime.UTC)
    outcome = restore.restore(options.file.absolute(), _store(options.data), now, dry_run=options.dry_run)
    found = outcome.differences
    if options.json:
        print(json.dumps(_as_json(outcome, dry_run=options.dry_run)))
        return 0
    for note in outcome.notes:
        say(f"note: {note}")
    for mark, refs in (("+", found.added), ("-", found.removed), ("~", found.changed)):
        for ref in refs:
            print(f"  {mark} {ref}")
    if found.network:
        print("  ~ the network description")
    print(
        f"{'dry run: ' if options.dry_run else ''}intents: {len(found.added)} added, {len(found.removed)} removed,"
        f" {len(found.changed)} changed, {found.unchanged} as they are"
    )
    if not options.dry_run:
        print(f"{outcome.store} is the backup of {outcome.backup.made or 'an unknown time'}")
        if outcome.kept:
            print(f"the former store is kept: {outcome.kept}")
    return 0


def _as_json(outcome: restore.Outcome, *, dry_run: bool) -> dict[str, Any]:
    found = outcome.differences
    return {
        "dryRun": dry_run,
        "backupMade": outcome.backup.made,
        "store": str(outcome.store),
        "kept": str(outcome.kept) if outcome.kept else None,
        "added": found.added,
        "removed": found.removed,
        "changed": found.changed,
        "unchanged": found.unchanged,
        "networkChanged": found.network,
        "notes": outcome.notes,
    }


def check(options: argparse.Namespace) -> int:
    """0, or 1 if something is wrong with pages or entries."""
    file = options.file
    if file is None:
        folder = _store(options.data)
        file = store_file.current(folder)
        if file is None:
            raise UserError(f"there is no store sextant-N.db in {folder}")
    report = store_file.checked(file.absolute())
    if options.json:
        print(json.dumps(report.as_json()))
        return 1 if report.problems else 0
    for of, count in report.maps.items():
        print(f"  {of:<20} {count:>8}")
    for problem in report.problems[:_SHOWN]:
        print(f"WRONG: {problem}")
    more = len(report.problems) - _SHOWN
    if more > 0:
        print(f"WRONG: and {more} more (--json has all)")
    made = f", a backup of {report.made}" if report.made else ""
    verdict = f"{len(report.problems)} wrong" if report.problems else "every page and every entry can be read"
    print(f"{file}{made}: {_counts(report)}: {verdict}")
    return 1 if report.problems else 0


def _counts(report: store_file.Report) -> str:
    return f"{report.entries} entries, of which {report.maps.get(store_file.INTENTS, 0)} intents"


def _store(data: Path | None) -> Path:
    """The folder of the store: that of a controller's data folder, or of the lab that is up."""
    if data is None:
        labs = _controllers()
        if not labs:
            raise UserError("no lab is up here: name the controller's data folder with --data (SEXTANT_DATA)")
        data = labs[0].data
    if not data.is_dir():
        raise UserError(f"there is no data folder {data}")
    return _configured(data) or data.absolute() / "store"


def _configured(data: Path) -> Path | None:
    """The store that etc/org.sextant.cfg of the data folder names."""
    try:
        text = (data / "etc" / "org.sextant.cfg").read_text()
    except OSError:
        return None
    match = re.search(r"^store[ \t]*=[ \t]*(\S.*?)[ \t]*$", text, re.MULTILINE)
    return Path(os.path.expandvars(match[1])).absolute() if match else None
