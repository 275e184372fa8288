// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Cluster, Member } from "../../api/client";
import { compilerText, leaderOf, shareText, sinceText, troublesOf } from "./shares";

const member = (id: string, ...nodes: string[]): Member => ({
  id,
  state: "READY",
  self: id === "c1",
  count: nodes.length,
  nodes,
});
const WELL: Cluster = {
  answers: "c1",
  settles: "c2",
  compiler: { inForce: 2, own: { oldest: 1, newest: 2 }, heldBackBy: [] },
  members: [member("c1", "l1", "l2"), member("c2", "l3"), member("c3")],
  unattended: [],
};

describe("a cluster in words", () => {
  it("is well while all its members are there and somebody acts for every node", () => {
    expect(troublesOf(WELL)).toEqual([]);
    const lost: Member = { ...member("c4"), state: "LOST" };
    expect(troublesOf({ ...WELL, members: [...WELL.members, lost], unattended: ["p6", "p7"] })).toEqual([
      "1 member of the cluster lost",
      "2 nodes without a cluster member",
    ]);
  });

  it("names the members that hold the compiler version back, and is silent about it otherwise", () => {
    const compiler = { ...WELL.compiler, inForce: 1 };
    expect(compilerText(WELL)).toBe("");
    expect(compilerText({})).toBe("");
    expect(compilerText({ ...WELL, compiler: { ...compiler, heldBackBy: ["c3"] } })).toBe(
      "Plans use compiler version 1 until c3 is upgraded.",
    );
    expect(compilerText({ ...WELL, compiler: { ...compiler, heldBackBy: ["c2", "c3"] } })).toBe(
      "Plans use compiler version 1 until c2, c3 are upgraded.",
    );
    expect(compilerText({ ...WELL, compiler })).toBe(
      "Plans use compiler version 1; this controller supports version 2.",
    );
  });

  it("says why this controller stands aside", () => {
    const standsAside = "the cluster's compiler version is 1, and it can compile 2 to 3";
    const compiler = { inForce: 1, own: { oldest: 2, newest: 3 }, standsAside, heldBackBy: ["c2"] };
    expect(compilerText({ ...WELL, compiler })).toBe(
      "This controller writes no node: the cluster's compiler version is 1, and it can compile 2 to 3.",
    );
  });

  it("says who acts for a node", () => {
    expect(leaderOf(WELL, "l3")).toBe("c2");
    expect(leaderOf(WELL, "p6")).toBeUndefined();
  });

  it("says what a member does", () => {
    expect(WELL.members.map((one) => shareText(one, WELL))).toEqual([
      "programs 2 nodes",
      "programs 1 node, performs tasks of the whole cluster",
      "programs no node",
    ]);
  });

  it("says since when, if that is known", () => {
    const now = Date.parse("2026-11-23T06:46:00Z");
    expect(sinceText({ since: "2026-11-23T06:43:00Z" }, now)).toBe("since 06:43:00 UTC, 3 min ago");
    expect(sinceText({}, now)).toBe("");
  });
});
