// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { TrailLine } from "../../api/client";
import { changed, isBad, said } from "./lines";

const line = (more: Partial<TrailLine>): TrailLine => ({
  seq: 7,
  prev: "",
  hash: "",
  time: "2026-11-23T02:00:00.005Z",
  event: "change",
  ...more,
});

describe("a line of the audit trail", () => {
  it("says what was asked for", () => {
    expect(said(line({ method: "DELETE", resource: "policies/gold" }))).toBe("DELETE policies/gold");
    expect(said(line({ event: "dryRun", method: "POST", resource: "policies" }))).toBe("dry run of POST policies");
    expect(said(line({ event: "login" }))).toBe("login failed");
    expect(said(line({ event: "chain", because: ["line 4 is missing"] }))).toBe("new hash chain: line 4 is missing");
  });

  it("says what became of one intent, or how many there were", () => {
    const of = (count: number, ...items: { intent: string; before?: string; after?: string }[]): TrailLine =>
      line({ changes: { count, digest: "", items } });
    expect(changed(line({}))).toBe("");
    expect(changed(of(1, { intent: "policy/gold", after: "a" }))).toBe("policy/gold added");
    expect(changed(of(1, { intent: "policy/gold", before: "a" }))).toBe("policy/gold removed");
    expect(changed(of(1, { intent: "policy/gold", before: "a", after: "b" }))).toBe("policy/gold replaced");
    expect(changed(of(1000, { intent: "policy/gold", after: "a" }))).toBe("1\u202f000 intents");
  });

  it("is marked if somebody should look at it", () => {
    expect(isBad(line({ outcome: "done" }))).toBe(false);
    expect(isBad(line({ outcome: "denied" }))).toBe(true);
    expect(isBad(line({ event: "chain", seq: 1 }))).toBe(false);
    expect(isBad(line({ event: "chain", seq: 8 }))).toBe(true);
  });
});
