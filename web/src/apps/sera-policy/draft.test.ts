// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import type { Firewall, Imported } from "./api";
import { complete, EMPTY, hintOf, textOf } from "./draft";

const RULES = "*filter\n-A FORWARD -j ACCEPT\nCOMMIT";
const FIREWALL: Firewall = {
  name: "FORWARD",
  node: "l2",
  mode: "basic",
  default: "drop",
  enforcement: "enforce",
  flows: 65_536,
  rules: [],
};
const CLEAN: Imported = { firewall: FIREWALL, refused: [], warnings: [] };
const LINE = { line: 3, text: "-A FORWARD -i eth0 -j DROP", why: "there are no interfaces here" };

it("an import wants a node and a text", () => {
  expect(complete(EMPTY)).toBe(false);
  expect(complete({ ...EMPTY, node: "l2", text: "  \n" })).toBe(false);
  expect(complete({ ...EMPTY, node: "l2", text: RULES })).toBe(true);
  expect(textOf({ ...EMPTY, node: "l2", text: RULES, partial: "yes" }).partial).toBe(true);
});

it("the hint says what is next", () => {
  const draft = { ...EMPTY, node: "l2", text: RULES };
  expect(hintOf(EMPTY, undefined)).toContain("Click the node");
  expect(hintOf({ ...EMPTY, node: "l2" }, undefined)).toContain("Paste");
  expect(hintOf(draft, { ...CLEAN, refused: [LINE] })).toContain("1 line unsupported");
  expect(hintOf({ ...draft, partial: "yes" }, { ...CLEAN, refused: [LINE] })).toContain("The rules are valid");
});
