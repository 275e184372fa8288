// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { stateTroubles } from "./app";

it("what failed comes before what is degraded; what works, waits or is of a later controller is no trouble", () => {
  const states = ["INSTALLED", "DEGRADED", "FAILED", "FAILED", "PENDING", "REMOVING"].map((state) => ({ state }));
  expect(stateTroubles(states, "policy", "policies")).toEqual(["2 policies failed", "1 policy degraded"]);
  expect(stateTroubles([], "policy", "policies")).toEqual([]);
});
