// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import type { RowCounters, SessionStatus } from "./api";
import { rateOf, type Reading } from "./rates";

const reading = (millis: number, uplink?: RowCounters): Reading => ({
  millis,
  status: { counters: { uplink, downlink: { read: false } } } as unknown as SessionStatus,
});
const counted = (packets: number, bytes: number): RowCounters => ({ read: true, packets, bytes });

it("a rate is what was counted between two readings", () => {
  expect(rateOf(reading(1000, counted(10, 1000)), reading(3000, counted(30, 4000)), "uplink")).toEqual({
    packetsPerSecond: 10,
    bitsPerSecond: 12_000,
  });
});

it("there is none before the second reading, of what was not read, and where rows are new", () => {
  const now = reading(3000, counted(5, 500));
  expect(rateOf(undefined, now, "uplink")).toBeUndefined();
  expect(rateOf(reading(1000, { read: false }), now, "uplink")).toBeUndefined();
  expect(rateOf(reading(1000, counted(10, 1000)), now, "uplink")).toBeUndefined();
  expect(rateOf(reading(1000), now, "downlink")).toBeUndefined();
});
