// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { EMPTY, viewOf } from "../model/network";
import { NOTHING } from "../state/picture";
import { LEGEND, type Seen } from "./looks";
import type { Palette } from "./palette";
import { styleOf } from "./style";

const COLOURS = ["ink", "muted", "paper", "surface", "line", "accent", "edge", "forward", "back", "bad", "traffic"];
const palette = {
  ...Object.fromEntries(COLOURS.map((name) => [name, "rgb(1, 2, 3)"])),
  paths: Array<string>(6).fill("rgb(1, 2, 3)"),
} as unknown as Palette;

/** Says nothing by its look: the common look of all nodes, and the cursor of the keyboard, which is said in words. */
const SILENT = ["node", "node.cursor", "edge.cursor"];

describe("the legend", () => {
  const told = new Set(LEGEND.flatMap(({ of }) => of));

  it("tells of every look that the map has", () => {
    const looks = styleOf(palette, { icon: 1, line: 1 }).map(({ selector }) => selector);
    expect(looks.filter((look) => !told.has(look) && !SILENT.includes(look))).toEqual([]);
    expect([...told].filter((look) => !looks.includes(look))).toEqual([]);
  });

  const nothing: Seen = { view: EMPTY, picture: NOTHING, busy: false, clustered: false };
  const texts = (seen: Partial<Seen>): readonly string[] =>
    LEGEND.filter(({ isSeen }) => isSeen({ ...nothing, ...seen })).map(({ text }) => text);

  it("is empty where there is nothing", () => {
    expect(texts({})).toEqual([]);
  });

  it("has what is on the map, and nothing else", () => {
    const node = (name: string, pipeconf: string) => ({ name, pipeconf, ports: [] });
    const ends = { from: { node: "a", port: 1 }, to: { node: "b", port: 1 } };
    const view = viewOf(
      {
        nodes: [node("a", "org.sextant.bmv2"), node("b", "org.sextant.linux")],
        links: [{ id: "a/1-b/1", up: false, igpMetric: 1, ...ends }],
        hosts: [{ name: "h", node: "a", port: 2, addresses: [] }],
      },
      [{ name: "a", state: "SYNCED" }],
    );
    const kinds = ["Linux", "P4", "edge node (with hosts)", "core node"];
    expect(texts({ view })).toEqual([...kinds, "lost", "host", "link", "down", "host link"]);
    const hops = [{ from: "a", to: "b" }];
    const paths = [
      { id: "1", look: "forward" as const, hops },
      { id: "2", look: "back" as const, beside: 2, silent: true, hops },
    ];
    expect(texts({ picture: { ...NOTHING, paths } })).toEqual(["path", "path 3", "path down"]);
  });
});
