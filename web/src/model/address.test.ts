// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { addressOf, routeOf } from "./address";

describe("the address of a panel", () => {
  it.each([
    ["", "", []],
    ["#", "", []],
    ["#/", "", []],
    ["#/nodes/node/l1", "nodes", ["node", "l1"]],
    ["#nodes//", "nodes", []],
    ["#/%E0%A4%A", "%E0%A4%A", []],
    ["#/policies/%", "policies", ["%"]],
    ["#/policies/100%25", "policies", ["100%"]],
  ])("%s is read, whatever somebody typed", (hash, app, path) => {
    expect(routeOf(hash)).toEqual({ app, path });
  });

  it.each(["l1/1-l2/1", "名前", "100%", "a b", "+", "02:00:00:00:00:01"])("of %s leads to it", (name) => {
    expect(routeOf(addressOf("nodes", "link", name))).toEqual({ app: "nodes", path: ["link", name] });
  });
});
