// SPDX-License-Identifier: Apache-2.0
import type { TrailLine } from "../../api/client";
import { counted } from "../../model/format";
import { strings } from "./strings";

/** The text of a line, in a few words. */
export function said(line: TrailLine): string {
  switch (line.event) {
    case "login":
      return strings.loginFailed;
    case "logout":
      return strings.loggedOut;
    case "chain":
      return strings.newChain((line.because ?? []).join("; "));
    case "start":
      return strings.started;
    case "gap":
      return strings.linesLost(counted(line.lost ?? 0, "record"));
    case "flood":
      return counted(line.leftOut ?? 0, strings.moreFailedLogin);
    case "dryRun":
      return strings.dryRun(line.method ?? "", line.resource ?? "");
    default:
      return `${line.method ?? ""} ${line.resource ?? ""}`;
  }
}

/** Its changes, in a few words; "" for none. */
export function changed(line: TrailLine): string {
  const { changes } = line;
  if (changes === undefined) {
    return "";
  }
  const [first] = changes.items;
  return changes.count === 1 && first !== undefined
    ? `${first.intent} ${strings.changes[first.before === undefined ? "added" : first.after === undefined ? "removed" : "replaced"]}`
    : counted(changes.count, "intent");
}

/** From a whole chain's first start on, a new one is no accident. */
export function isBad(line: TrailLine): boolean {
  return (
    line.event === "gap" ||
    line.event === "login" ||
    (line.event === "chain" && line.seq > 1) ||
    ["denied", "failed", "unknown"].includes(line.outcome ?? "")
  );
}
