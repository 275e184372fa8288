// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { livenessText, probesText, watchedOf } from "./liveness";

const UNKNOWN = { state: "UNKNOWN", sent: 0, received: 0, lost: 0 } as const;
const DOWN = {
  state: "DOWN",
  sent: 100,
  received: 97,
  lost: 3,
  delayMicros: { min: 210, avg: 220, max: 900 },
  jitterMicros: 12,
} as const;

it("says which path packets take, and which does not answer", () => {
  expect(livenessText({ index: 0, preference: 200, inUse: false, liveness: DOWN })).toBe("down");
  expect(livenessText({ index: 1, preference: 100, inUse: true, liveness: { ...DOWN, state: "UP" } })).toBe(
    "in use, up",
  );
  expect(livenessText({ index: 1, preference: 100, inUse: true, liveness: UNKNOWN })).toBe("in use, unknown");
});

it("says what probes measured, once there were some", () => {
  expect(probesText({ index: 0, preference: 200, inUse: false, liveness: UNKNOWN })).toBe("");
  expect(probesText({ index: 0, preference: 200, inUse: false, liveness: DOWN })).toBe(
    "3 of 100 probes lost, round trip 220 µs (210 to 900), jitter 12 µs",
  );
  expect(
    probesText({ index: 0, preference: 200, inUse: false, liveness: { state: "DOWN", sent: 1, received: 0, lost: 1 } }),
  ).toBe("1 of 1 probe lost");
});

it("takes of an event what is about one policy", () => {
  const path = { index: 0, preference: 200, inUse: true, liveness: UNKNOWN };
  const news = { policies: [{ id: "gold", candidatePaths: [path] }] };
  expect(watchedOf(news, "gold")).toEqual([path]);
  expect(watchedOf(news, "silver")).toBeUndefined();
});
