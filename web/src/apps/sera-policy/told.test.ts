// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import type { Counters, LogLine } from "./api";
import { countedOf, missedText, MOST_LINES, packetText, withCounted, withLines } from "./told";

const COUNTS: Counters = {
  id: "fw",
  version: 2,
  node: "l2",
  read: true,
  live: true,
  rules: [
    { rule: 0, name: "web", action: "accept", hits: 1, bytes: 100, lastHit: "2026-11-23T08:00:00Z" },
    { rule: 1, name: "dns", action: "drop", hits: 2, bytes: 200 },
  ],
  default: { action: "drop", hits: 3, bytes: 300 },
};

const BARE: LogLine = {
  firewall: "fw",
  node: "l2",
  at: "2026-11-23T08:00:00Z",
  version: 2,
  rule: 1,
  name: "dns",
  verdict: "drop",
  sid: "fcbb:bbbb:200:f200::",
  source: "2001:db8:1::1",
  destination: "10.0.2.1",
  protocol: 58,
  unlogged: 0,
  lost: 0,
};

const LINE: LogLine = { ...BARE, protocol: 17, sourcePort: 1000, destinationPort: 53 };

it("rules that counted show it, and the others what was read", () => {
  const counted = {
    id: "fw",
    version: 2,
    rules: [
      { rule: 1, hits: 7, bytes: 700 },
      { rule: -1, hits: 9, bytes: 900 },
    ],
  };
  const now = withCounted(COUNTS, counted);
  expect(now.rules?.map(({ name, hits }) => [name, hits])).toEqual([
    ["web", 1],
    ["dns", 7],
  ]);
  expect(now.default).toEqual({ action: "drop", hits: 9, bytes: 900 });
  expect(COUNTS.rules?.[1]?.hits).toBe(2);
});

it("what another firewall or another version counted is no news", () => {
  const news = { firewalls: [{ id: "fw", version: 2, rules: [] }] };
  expect(countedOf(news, "fw", 2)).toBeDefined();
  expect(countedOf(news, "fw", 3)).toBeUndefined();
  expect(countedOf(news, "other", 2)).toBeUndefined();
});

it("the latest line stands first, and there is an end to them", () => {
  const line = (destinationPort: number, firewall = "fw"): LogLine => ({ ...LINE, destinationPort, firewall });
  const lines = withLines([line(1)], { left: 0, lines: [line(2), line(9, "other"), line(3)] }, "fw");
  expect(lines.map((one) => one.destinationPort)).toEqual([3, 2, 1]);
  const many = Array.from({ length: 60 }, (_, i) => line(i));
  expect(withLines(lines, { left: 10, lines: many }, "fw")).toHaveLength(MOST_LINES);
  expect(withLines(lines, { left: 0, lines: [line(9, "other")] }, "fw")).toBe(lines);
});

it("a packet is told with what it has", () => {
  expect(packetText(LINE)).toBe("[2001:db8:1::1]:1000 → 10.0.2.1:53, protocol 17");
  expect(packetText({ ...BARE, icmpType: 128, icmpCode: 0 })).toBe("2001:db8:1::1 → 10.0.2.1, protocol 58 type 128/0");
});

it("what is missing before a line is counted", () => {
  expect(missedText(LINE)).toBe("");
  expect(missedText({ unlogged: 3, lost: 4 })).toBe("7 earlier packets not shown");
});
