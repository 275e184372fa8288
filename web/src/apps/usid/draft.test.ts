// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import paper from "../../../../lab/policies/paper.json";
import type { MapHost } from "../../model/network";
import * as drafts from "./draft";
import { complete, EMPTY, hintOf, isStuck, placeOf, policyOf, type Draft } from "./draft";

const host = (name: string, node: string) => ({ name, at: { node, port: 2 }, up: true, addresses: [] });
const h11 = host("h11", "l1");
const h12 = host("h12", "l1");
const h31 = host("h31", "l3");
const h32 = host("h32", "l3");
const h81 = host("h81", "v8");
const hosts = new Map([h11, h12, h31, h32, h81].map((one) => [one.name, one.at.node]));
const nodeOf = (end: string) => hosts.get(end);
const withHost = (draft: Draft, one: MapHost) => drafts.withHost(draft, one, nodeOf);
const over = (draft: Draft, ...nodes: readonly string[]) =>
  nodes.reduce((before, node) => drafts.withNode(before, node, nodeOf), draft);

describe("a policy made by clicks", () => {
  const clicked = withHost(over(withHost(EMPTY, h11), "l2", "p7", "p6", "v5", "v4"), h31);

  it("host, nodes, host: it is the paper's", () => {
    expect(complete(clicked)).toBe(true);
    const { name } = paper;
    expect(policyOf({ ...clicked, name, family: "ipv6" })).toEqual({ ...paper, decap: "f00d" });
  });

  it("both hosts first: nodes go between headend and egress", () => {
    expect(over(withHost(withHost(EMPTY, h11), h31), "l2", "p7").nodes).toEqual(["l1", "l2", "p7", "l3"]);
  });

  it("nodes first: the host's node is put in front, unless it is there", () => {
    expect(withHost(over(EMPTY, "l2"), h11).nodes).toEqual(["l1", "l2"]);
    expect(withHost(over(EMPTY, "l1", "l2"), h11).nodes).toEqual(["l1", "l2"]);
  });

  it("what is clicked again is taken back", () => {
    expect(over(clicked, "p7").nodes).toEqual(["l1", "l2", "p6", "v5", "v4", "l3"]);
    expect(withHost(clicked, h31)).toMatchObject({ to: "", nodes: ["l1", "l2", "p7", "p6", "v5", "v4"] });
    expect(withHost(clicked, h11)).toMatchObject({ from: "", nodes: ["l2", "p7", "p6", "v5", "v4", "l3"] });
  });

  it("another second host replaces the first", () => {
    expect(withHost(clicked, h32)).toMatchObject({ to: "h32", nodes: clicked.nodes });
    expect(withHost(clicked, h81).nodes.at(-1)).toBe("v8");
  });

  it("where the traffic goes was typed, and the path has not its node: what is clicked comes last, and none is lost", () => {
    const typed = { ...over(withHost(EMPTY, h11), "l2"), to: "fd00:0:31::/64" };
    expect(over(typed, "p7").nodes).toEqual(["l1", "l2", "p7"]);
    expect(withHost(typed, h31).nodes).toEqual(["l1", "l2", "l3"]);
  });

  it("two hosts of one node: there is no way yet, and a node that is clicked then is between", () => {
    const both = withHost(withHost(EMPTY, h11), h12);
    expect([both.nodes, complete(both)]).toEqual([["l1"], false]);
    expect(hintOf(both, nodeOf)).toContain("h11 and h12 are attached to the same node l1");
    expect([isStuck(both, nodeOf), isStuck(over(both, "l2"), nodeOf), isStuck(EMPTY, nodeOf)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(over(both, "l2").nodes).toEqual(["l1", "l2"]);
    expect(withHost(both, h12)).toMatchObject({ from: "h11", to: "", nodes: ["l1"] });
  });

  it("prefixes without a path: the hint says what is missing", () => {
    const typed = { ...EMPTY, from: "fd00:0:11::/64", to: "fd00:0:31::/64" };
    expect(hintOf(typed, nodeOf)).toContain("Enter the path");
    expect(hintOf({ ...typed, nodes: ["l1"] }, nodeOf)).toContain("Enter the path");
    expect(hintOf({ ...typed, nodes: ["l1", "l3"] }, nodeOf)).toContain("The plan is valid");
  });

  it("no name and both families, no fields for them", () => {
    expect(policyOf(clicked)).not.toHaveProperty("name");
    expect(policyOf(clicked)).not.toHaveProperty("family");
  });
});

it("a problem of a node is told at its place in the path", () => {
  const problem = (field: string) => ({ code: "UNKNOWN" as const, field, message: "m", remedy: "r" });
  expect(["/nodes/3", "/nodes"].map((field) => placeOf(problem(field)))).toEqual([3, undefined]);
});
