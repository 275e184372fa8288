// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { FlowDirection } from "./api";
import { flowTroubles, lookOf, stateText, troublesOf } from "./health";

const path = (number: number, state?: string) =>
  ({ path: number, ...(state === undefined ? {} : { state }) }) as FlowDirection["paths"][number];
const directed = (state: string, ...paths: readonly string[]) => ({
  directions: [{ from: "h11", to: "h31", state, paths: paths.map((one, i) => path(i + 1, one)) } as FlowDirection],
});
const flow = (...states: (string | undefined)[]) => ({
  directions: [{ from: "h11", to: "h31", paths: states.map((state, i) => path(i + 1, state)) } as FlowDirection],
});

describe("a path of a flow", () => {
  it.each([
    [undefined, "good", ""],
    ["UNKNOWN", "good", ""],
    ["DELIVERING", "good", "delivering"],
    ["SILENT", "bad", "down (no packets)"],
    ["DOWN", "bad", "down"],
    ["LOSSY", "warn", "lossy"],
    ["A_WORD_OF_LATER", "warn", "a_word_of_later"],
  ])("in state %s looks %s", (state, look, text) => {
    expect([lookOf(path(1, state)), stateText(path(1, state))]).toEqual([look, text]);
  });

  it("that is silent is told of with its flow and for all flows together", () => {
    expect(troublesOf(flow("DELIVERING", "SILENT"))).toEqual([
      { path: 2, from: "h11", to: "h31", state: "down (no packets)" },
    ]);
    expect(flowTroubles([flow("SILENT", "DELIVERING"), flow("SILENT", "LOSSY"), flow(undefined)])).toEqual([
      "2 paths down (no packets)",
      "1 path lossy",
    ]);
    expect(flowTroubles([flow("DELIVERING")])).toEqual([]);
  });
});

describe("a direction of a flow", () => {
  it("that is down is told of when no path is named, too", () => {
    const down = directed("DOWN", "UNKNOWN", "DELIVERING");
    expect(troublesOf(down)).toEqual([{ from: "h11", to: "h31", state: "down" }]);
    expect(flowTroubles([down, down])).toEqual(["2 flow directions down"]);
  });

  it("that is down says for its silent paths what there is to say", () => {
    expect(flowTroubles([directed("DOWN", "SILENT", "SILENT"), flow("SILENT", "DELIVERING")])).toEqual([
      "1 flow direction down",
      "1 path down (no packets)",
    ]);
  });

  it("that is lossy is told of beside its paths", () => {
    expect(flowTroubles([directed("LOSSY", "LOSSY", "SILENT"), directed("DELIVERING", "DELIVERING")])).toEqual([
      "1 flow direction lossy",
      "1 path down (no packets)",
      "1 path lossy",
    ]);
  });
});
