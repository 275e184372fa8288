// SPDX-License-Identifier: Apache-2.0
import type { TrailLine } from "../../api/client";

/** The text of a line, in a few words. */
export function said(line: TrailLine): string {
  switch (line.event) {
    case "login":
      return "login failed";
    case "logout":
      return "logged out";
    case "chain":
      return `a new chain begins: ${(line.because ?? []).join("; ")}`;
    case "start":
      return "the controller started";
    case "gap":
      return `${line.lost ?? 0} lines had no room`;
    case "flood":
      return `${line.leftOut ?? 0} failed logins more`;
    case "dryRun":
      return `dry run of ${line.method ?? ""} ${line.resource ?? ""}`;
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
    ? `${first.intent} ${first.before === undefined ? "added" : first.after === undefined ? "removed" : "replaced"}`
    : `${changes.count} intents`;
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
