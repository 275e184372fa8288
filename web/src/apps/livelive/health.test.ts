// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { FlowDirection } from "../../api/client";
import { badPaths, lookOf, pathTroubles, stateText } from "./health";

const path = (number: number, state?: string) =>
  ({ path: number, ...(state === undefined ? {} : { state }) }) as FlowDirection["paths"][number];
const flow = (...states: (string | undefined)[]) => ({
  directions: [{ from: "h11", to: "h31", paths: states.map((state, i) => path(i + 1, state)) } as FlowDirection],
});

describe("a path of a flow", () => {
  it.each([
    [undefined, "good", ""],
    ["UNKNOWN", "good", ""],
    ["DELIVERING", "good", "delivering"],
    ["SILENT", "bad", "silent"],
    ["DOWN", "bad", "down"],
    ["LOSSY", "warn", "lossy"],
    ["A_WORD_OF_LATER", "warn", "a_word_of_later"],
  ])("in state %s looks %s", (state, look, text) => {
    expect([lookOf(path(1, state)), stateText(path(1, state))]).toEqual([look, text]);
  });

  it("that is silent is told of with its flow and for all flows together", () => {
    expect(badPaths(flow("DELIVERING", "SILENT"))).toEqual([{ path: 2, from: "h11", to: "h31", state: "silent" }]);
    expect(pathTroubles([flow("SILENT", "DELIVERING"), flow("SILENT", "LOSSY"), flow(undefined)])).toEqual([
      "1 path lossy",
      "2 paths silent",
    ]);
    expect(pathTroubles([flow("DELIVERING")])).toEqual([]);
  });
});
