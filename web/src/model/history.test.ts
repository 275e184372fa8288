// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import {
  distanceText,
  partsOf,
  ratesAt,
  seriesText,
  spanOf,
  sparkPath,
  utilisationOf,
  valueText,
  viewAt,
} from "./history";
import { viewOf } from "./network";

describe("a series", () => {
  it("has a span of what is known", () => {
    expect(spanOf([null, 3, 1, null, 2])).toEqual({ min: 1, now: 2, max: 3 });
    expect(spanOf([3, null])).toEqual({ min: 3, now: undefined, max: 3 });
    expect(spanOf([null, null])).toBeUndefined();
    expect(spanOf([])).toBeUndefined();
  });

  it("is said in words for who does not see it", () => {
    expect(seriesText("bytesPerSecond", [null, 1000, 125_000])).toBe(
      "Rate in the last hour: min 8.0 kb/s, now 1.0 Mb/s, max 1.0 Mb/s",
    );
    expect(seriesText("lossPercent", [2.5, null])).toBe("Loss in the last hour: min 2.5 %, now unknown, max 2.5 %");
    expect(seriesText("delayMicros", [null])).toBe("Delay: no samples in the last hour");
    expect(seriesText("newThings", [1])).toBe("newThings in the last hour: min 1, now 1, max 1");
  });

  it("has its unit", () => {
    expect(valueText("packetsPerSecond", 12.3)).toBe("12/s");
    expect(valueText("utilisationPercent", 0.25)).toBe("0.3 %");
    expect(valueText("delayMicros", 220)).toBe("220 µs");
  });

  it("is drawn from zero, and gaps interrupt it", () => {
    expect(sparkPath([0, 10, null, 5, 5], 40, 20)).toBe("M0.0 20.0L10.0 0.0M30.0 10.0L40.0 10.0");
    expect(sparkPath([null, 10, null], 20, 20)).toBe("M0.0 0.0L10.0 0.0");
    expect(sparkPath([10, null], 20, 20)).toBe("M0.0 0.0L0.0 0.0");
    expect(sparkPath([0, 0], 20, 20)).toBe("M0.0 20.0L20.0 20.0");
    expect(sparkPath([null, null], 20, 20)).toBe("");
  });
});

it("utilisation is known where the speed is", () => {
  expect(utilisationOf(250_000, 1000)).toBe(25);
  expect(utilisationOf(250_000, undefined)).toBeUndefined();
  expect(utilisationOf(250_000, 0)).toBeUndefined();
});

describe("a moment", () => {
  const link = { igpMetric: 1, from: { node: "a", port: 1 }, to: { node: "b", port: 1 } };
  const now = viewOf(
    {
      nodes: ["a", "b", "young"].map((name) => ({ name, pipeconf: "linux", ports: [] })),
      links: [
        { ...link, id: "a/1-b/1", up: true, capacityKbps: 1000 },
        { ...link, id: "b/1-a/1", from: link.to, to: link.from, up: true },
        { igpMetric: 1, id: "a/2-young/1", up: true, from: { node: "a", port: 2 }, to: { node: "young", port: 1 } },
      ],
      hosts: [{ name: "h", node: "a", port: 9, addresses: [] }],
    },
    ["a", "b", "young"].map((name) => ({ name, state: "SYNCED" })),
  );
  const then = {
    nodes: [
      { name: "a", state: "LOST" },
      { name: "b", state: "SYNCED" },
      { name: "gone", state: "SYNCED" },
    ],
    links: [
      { id: "a/1-b/1", up: false, bitsPerSecond: 500 },
      { id: "b/1-a/1", up: true, bitsPerSecond: 700 },
    ],
    hosts: [{ name: "h", up: false }],
  };

  it("is the network with the states of then, without what was not there", () => {
    const view = viewAt(now, then);
    expect([...view.nodes.values()].map(({ name, state }) => [name, state])).toEqual([
      ["a", "LOST"],
      ["b", "SYNCED"],
    ]);
    expect([...view.links.values()].map(({ id, up, down }) => [id, up, down])).toEqual([
      ["a/1-b/1", false, ["a/1-b/1"]],
    ]);
    expect(view.hosts.get("h")?.up).toBe(false);
    expect(now.links.get("a/1-b/1")?.up).toBe(true);
    expect(now.links.get("a/1-b/1")?.speeds.get("a/1-b/1")).toBe(1000);
  });

  it("has the load of then at both ends of links", () => {
    expect(ratesAt(then).get("a/1")).toEqual({ outBitsPerSecond: 500, inBitsPerSecond: 700 });
    expect(ratesAt(then).get("b/1")).toEqual({ outBitsPerSecond: 700, inBitsPerSecond: 500 });
  });

  it("has a distance to the second", () => {
    const distances = [0, 5, 60, 200, 3600].map(distanceText);
    expect(distances).toEqual(["now", "5 s ago", "1 min ago", "3 min 20 s ago", "60 min ago"]);
  });
});

it("many things are asked for in parts that fit into an address", () => {
  expect(partsOf([])).toEqual([]);
  expect(partsOf(["link:a", "link:b", "link:a"])).toEqual([["link:a", "link:b"]]);
  const names = Array.from({ length: 120 }, (_, i) => `policy:p${i}`);
  expect(partsOf(names).map((part) => part.length)).toEqual([50, 50, 20]);
  const long = Array.from({ length: 50 }, (_, i) => `policy:${"x".repeat(190)}${i}`);
  expect(partsOf(long).every((part) => part.join().length < 3_200)).toBe(true);
  expect(partsOf(long).flat()).toEqual(long);
});
