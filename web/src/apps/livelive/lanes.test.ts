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

const direction = {
  from: "h11",
  to: "fd00::/64",
  ingress: "l1",
  egress: "l3",
  flowId: 1,
  group: 1,
  window: 1024,
  families: ["ipv6" as const],
  paths: [path(1, "l1 l2 l3"), { ...path(2, "l1 p7 l3"), state: "SILENT" as const }],
};
const isHost = (name: string): boolean => name.startsWith("h");

it("each path is a line of its own colour from host to host, and a silent one says so", () => {
  const lanes = lanesOf([direction], isHost);
  expect(lanes.map((lane) => [lane.beside, lane.silent])).toEqual([
    [0, false],
    [1, true],
  ]);
  expect(lanes[1]?.hops.map((hop) => `${hop.from}>${hop.to}`)).toEqual(["h11>l1", "l1>p7", "p7>l3"]);
});

it("nothing comes over any path of a direction that is down", () => {
  expect(lanesOf([{ ...direction, state: "DOWN" }], isHost).map((lane) => lane.silent)).toEqual([true, true]);
});

it("the way back is drawn, too, once where it takes the links of the way there", () => {
  const back = {
    ...direction,
    from: "fd00::/64",
    to: "h11",
    paths: [{ ...path(1, "l3 l2 l1"), state: "SILENT" as const }, path(2, "l3 v8 l1")],
  };
  const lanes = lanesOf([direction, back], isHost);
  expect(lanes.map((lane) => [lane.id, lane.beside, lane.silent])).toEqual([
    ["lane1", 0, true],
    ["lane2", 1, true],
    ["lane2-back", 1, false],
  ]);
  expect(lanes[2]?.hops.map((hop) => `${hop.from}>${hop.to}`)).toEqual(["l3>v8", "v8>l1", "l1>h11"]);
});
