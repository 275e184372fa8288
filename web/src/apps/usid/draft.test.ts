// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import paper from "../../../../lab/policies/paper.json";
import { byField, complete, EMPTY, placeOf, policyOf, withHost, withNode, type Draft } from "./draft";

const host = (name: string, node: string) => ({ name, at: { node, port: 2 }, up: true, addresses: [] });
const h11 = host("h11", "l1");
const h31 = host("h31", "l3");
const over = (draft: Draft, ...nodes: readonly string[]) => nodes.reduce(withNode, draft);

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
    expect(withHost(clicked, host("h32", "l3"))).toMatchObject({ to: "h32", nodes: clicked.nodes });
    expect(withHost(clicked, host("h81", "v8")).nodes.at(-1)).toBe("v8");
  });

  it("no name and both families, no fields for them", () => {
    expect(policyOf(clicked)).not.toHaveProperty("name");
    expect(policyOf(clicked)).not.toHaveProperty("family");
  });
});

it("problems stand at the field that they are about", () => {
  const problem = (field: string) => ({ code: "UNKNOWN" as const, field, message: "m", remedy: "r" });
  const found = byField([problem("/nodes/3"), problem("/to"), problem(""), problem("/nodes")]);
  expect([...found.keys()]).toEqual(["nodes", "to", ""]);
  expect(found.get("nodes")?.map(placeOf)).toEqual([3, undefined]);
});
