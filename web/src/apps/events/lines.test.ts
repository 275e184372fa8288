// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { LogEvent } from "../../api/client";
import { clockText } from "../../model/clock";
import { matches, pageOf, thingOf, whenText } from "./lines";

const TIME = "2026-11-23T06:43:00Z";
const NOW = Date.parse("2026-11-23T06:46:00Z");

const event = (more: Partial<LogEvent>): LogEvent => ({
  number: 7,
  time: TIME,
  count: 1,
  kind: "node",
  severity: "error",
  subject: { kind: "node", id: "l1" },
  text: "l1 does not answer: control lost",
  ...more,
});

const apps = [
  { id: "policies", intents: "policy" },
  { id: "nodes", pageOf: ({ kind, name }: { kind: string; name: string }) => `#/nodes/${kind}/${name}` },
];

describe("an event", () => {
  it("leads to what it happened to", () => {
    expect(pageOf({ kind: "node", id: "l1" }, apps)).toBe("#/nodes/node/l1");
    expect(pageOf({ kind: "policy", id: "gold" }, apps)).toBe("#/policies/gold");
    expect(pageOf({ kind: "policy", id: "" }, apps)).toBe("#/policies");
    expect(pageOf({ kind: "controller", id: "" }, apps)).toBeUndefined();
    expect(pageOf({ kind: "slice", id: "urban" }, apps)).toBeUndefined();
  });

  it("marks what is on the map, links by the map's own names", () => {
    expect(thingOf({ kind: "host", id: "h11" })).toEqual({ kind: "host", name: "h11" });
    expect(thingOf({ kind: "link", id: "l1/9-l1/10" })).toEqual({ kind: "link", name: "l1/10-l1/9" });
    expect(thingOf({ kind: "policy", id: "gold" })).toBeUndefined();
  });

  it("is found by words of its text and its subject", () => {
    expect(matches(event({}), "")).toBe(true);
    expect(matches(event({}), "answer NODE")).toBe(true);
    expect(matches(event({}), "answer l2")).toBe(false);
  });

  it("says when it was, and how often if it was more than once", () => {
    expect(whenText(event({}), NOW)).toBe(`${clockText(TIME, NOW)}, 3 min ago`);
    const first = "2026-11-23T06:40:00Z";
    expect(whenText(event({ first, count: 97 }), NOW)).toBe(
      `${clockText(TIME, NOW)}, 3 min ago, 97 times since ${clockText(first, NOW)}`,
    );
  });
});
