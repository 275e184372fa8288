// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { lanesOf } from "./lanes";

const path = (number: number, nodes: string) => ({
  path: number,
  nodes: nodes.split(" "),
  links: [],
  segments: [],
  metric: 1,
  encapsulationBytes: 64,
  mtu: {},
});

it("each path is a line of its own colour from host to host, and a silent one says so", () => {
  const lanes = lanesOf(
    {
      from: "h11",
      to: "fd00::/64",
      ingress: "l1",
      egress: "l3",
      flowId: 1,
      group: 1,
      window: 1024,
      families: ["ipv6"],
      paths: [path(1, "l1 l2 l3"), { ...path(2, "l1 p7 l3"), state: "SILENT" as const }],
    },
    (name) => name.startsWith("h"),
  );
  expect(lanes.map((lane) => [lane.lane, lane.silent])).toEqual([
    [0, false],
    [1, true],
  ]);
  expect(lanes[1]?.hops.map((hop) => `${hop.from}>${hop.to}`)).toEqual(["h11>l1", "l1>p7", "p7>l3"]);
});
