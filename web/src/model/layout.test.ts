// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { placeHosts, placeNodes } from "./layout";
import { viewOf, type TopologySource } from "./network";

/** A grid of nodes without places. */
function grid(width: number, height: number): TopologySource {
  const name = (x: number, y: number) => `n${x}-${y}`;
  const links: TopologySource["links"][number][] = [];
  const join = (from: string, to: string) =>
    links.push({
      id: `${from}/1-${to}/1`,
      up: true,
      from: { node: from, port: 1 },
      to: { node: to, port: 1 },
      igpMetric: 1,
    });
  const nodes = Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    if (x > 0) join(name(x - 1, y), name(x, y));
    if (y > 0) join(name(x, y - 1), name(x, y));
    return { name: name(x, y), pipeconf: "", ports: [] };
  });
  return { nodes, links, hosts: [{ name: "h", node: name(0, 0), port: 9, addresses: [] }] };
}

describe("places of nodes that nobody placed", () => {
  const view = viewOf(grid(6, 5), []);
  const places = placeNodes(view);

  it("are the same every time", () => {
    expect([...placeNodes(view)]).toEqual([...places]);
  });

  it("keep nodes apart", () => {
    const points = [...places.values()];
    const nearest = Math.min(
      ...points.flatMap((a, i) => points.slice(i + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y))),
    );
    expect(nearest).toBeGreaterThan(30);
  });

  it("put neighbours nearer to each other than strangers", () => {
    const distance = (a: string, b: string) => {
      const [p, q] = [places.get(a), places.get(b)];
      return p && q ? Math.hypot(p.x - q.x, p.y - q.y) : NaN;
    };
    const linked = [...view.links.values()].map((link) => distance(link.a.node, link.b.node));
    const mean = linked.reduce((sum, one) => sum + one, 0) / linked.length;
    expect(mean).toBeLessThan(distance("n0-0", "n5-4") / 2);
  });

  it("take a thousand nodes well within a second or two", () => {
    const started = performance.now();
    expect(placeNodes(viewOf(grid(40, 25), [])).size).toBe(1000);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

it("a host stands on the side where its node has no neighbours", () => {
  const source = grid(2, 1);
  const view = viewOf(
    { ...source, nodes: source.nodes.map((node, i) => ({ ...node, location: { x: i * 100, y: 0 } })) },
    [],
  );
  const host = placeHosts(view, placeNodes(view)).get("h");
  expect(host?.x).toBeLessThan(-50);
  expect(host?.y).toBeCloseTo(0);
});
