// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { answers, branchLines, linesOf } from "./paths";

const hop = (node: string) => ({ node, destinationAddress: "::", segmentsLeft: 0, behavior: "uN" });
const way = (from: string, to: string, nodes: string, family: "ipv4" | "ipv6" = "ipv6") => ({
  from,
  to,
  family,
  hops: nodes.split(" ").map(hop),
});
const isHost = (name: string) => name.startsWith("h");

describe("paths over the map", () => {
  const there = way("h11", "h31", "l1 l2 l2 l3");
  const back = way("h31", "h11", "l3 l2 l1");

  it("go from host to host, and over each node once", () => {
    expect(linesOf([there], 0, isHost)[0]?.hops.map((one) => `${one.from}>${one.to}`)).toEqual([
      "h11>l1",
      "l1>l2",
      "l2>l3",
      "l3>h31",
    ]);
  });

  it("show the way back behind the chosen way, and no other family", () => {
    const all = [there, back, way("h11", "h31", "l1 l3", "ipv4")];
    expect(linesOf(all, 0, isHost).map((line) => line.look)).toEqual(["forward", "back"]);
    expect(linesOf(all, 1, isHost).map((line) => line.look)).toEqual(["back", "forward"]);
    expect(answers(there, back)).toBe(true);
  });

  it("of an end that is a prefix begin at the headend", () => {
    expect(linesOf([way("fd00::/64", "h31", "l1 l3")], 0, isHost)[0]?.hops[0]).toEqual({ from: "l1", to: "l3" });
  });

  it("branch where a firewall leads packets elsewhere, and not where it drops or goes on", () => {
    const branches = [
      { node: "l2", verdict: "skipNext" as const, hops: ["l2", "p6", "l3"].map(hop) },
      { node: "l2", verdict: "goNext" as const, hops: ["l2", "l3"].map(hop) },
      { node: "l2", verdict: "drop" as const, hops: [hop("l2")] },
    ];
    expect(branchLines({ ...there, branches }, isHost)).toEqual([
      {
        id: "branch 0",
        look: "other",
        hops: [
          { from: "l2", to: "p6" },
          { from: "p6", to: "l3" },
          { from: "l3", to: "h31" },
        ],
      },
    ]);
    expect(branchLines(there, isHost)).toEqual([]);
  });
});
