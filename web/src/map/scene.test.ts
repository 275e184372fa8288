// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { viewOf, type TopologySource } from "../model/network";
import { placesOf, sceneOf } from "./scene";
import { spokenOf, troublesOf } from "./words";

const node = (name: string, x: number, y = 0) => ({ name, pipeconf: "", ports: [], location: { x, y } });
const link = (from: string, to: string, port = 1, up = true): TopologySource["links"][number] => ({
  id: `${from}/${port}-${to}/${port}`,
  up,
  from: { node: from, port },
  to: { node: to, port },
  igpMetric: 1,
});
const NEAR = { x1: -1000, y1: -1000, x2: 1000, y2: 1000, zoom: 1 };
const nobody = (): boolean => false;

describe("a small network", () => {
  const view = viewOf(
    {
      nodes: [node("a", 0), node("b", 100)],
      links: [link("a", "b"), link("b", "a"), link("a", "b", 2, false), link("a", "gone")],
      hosts: [{ name: "h", node: "a", port: 9, addresses: [] }],
    },
    [
      { name: "a", state: "SYNCED" },
      { name: "b", state: "LOST" },
    ],
  );
  const scene = sceneOf(view, placesOf(view, { "n:b": { x: 7, y: 8 } }), NEAR, nobody);

  it("is drawn as it is: each link once, several between two nodes, none to a node that is not there", () => {
    expect([...scene.elements.keys()]).toEqual(["n:a", "n:b", "h:h", "l:a/1-b/1", "l:a/2-b/2", "a:h"]);
    expect(scene.elements.get("n:b")?.position).toEqual({ x: 7, y: 8 });
  });

  it("says in words what its colours say", () => {
    expect([...scene.elements.keys()].slice(0, 5).map((id) => spokenOf(id, view, scene))).toEqual([
      "node a",
      "node b, lost",
      "host h at a",
      "link a to b",
      "link a to b, down",
    ]);
  });
});

describe("a crowd", () => {
  const names = Array.from({ length: 400 }, (_, i) => `n${i}`);
  const view = viewOf(
    {
      nodes: names.map((name, i) => node(name, (i % 20) * 10, Math.floor(i / 20) * 10)),
      links: names.slice(1).map((name, i) => link(names[i] ?? "", name, 1, i !== 0)),
      hosts: [{ name: "h", node: "n0", port: 9, addresses: [] }],
    },
    names.map((name) => ({ name, state: name === "n1" ? "LOST" : "SYNCED" })),
  );
  const far = { x1: -2000, y1: -2000, x2: 2000, y2: 2000, zoom: 0.2 };
  const scene = sceneOf(view, placesOf(view, {}), far, (name) => name === "n399");
  const clusters = [...scene.members.keys()];

  it("is drawn as clusters, with one line for all links between two, and who is to be seen by itself", () => {
    expect(clusters.length).toBeGreaterThan(0);
    expect(clusters.length).toBeLessThan(20);
    expect([...scene.elements.keys()].filter((id) => id.startsWith("n:"))).toEqual(["n:n399"]);
    const lines = [...scene.links.keys()];
    expect(lines.every((id) => id.startsWith("g:"))).toBe(true);
    expect(new Set(lines).size).toBe(lines.length);
    expect(scene.elements.has("h:h")).toBe(false);
  });

  it("counts who is lost where nobody could see it", () => {
    const troubles = clusters.map((id) => troublesOf(id, view, scene)).filter((text) => text !== "");
    expect(troubles).toEqual(["1 lost"]);
    expect(spokenOf(clusters[0] ?? "", view, scene)).toMatch(
      /^cluster of \d+ nodes, n\d+ and others.*Enter expands it$/,
    );
  });
});
