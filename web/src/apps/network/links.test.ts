// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { busier } from "./links";

it("a link in a list is as its busier direction, in percent where its speed is known", () => {
  const calm = new Map([["bytesPerSecond", [null, 1, 2]]]);
  const busy = new Map([["bytesPerSecond", [5, null, 9]]]);
  const known = new Map([...busy, ["utilisationPercent", [50, null, 90]] as const]);
  expect(busier([calm, busy])).toEqual(["bytesPerSecond", [5, null, 9]]);
  expect(busier([known, calm])).toEqual(["utilisationPercent", [50, null, 90]]);
  expect(busier([undefined, undefined])).toEqual(["bytesPerSecond", undefined]);
});
