// SPDX-License-Identifier: Apache-2.0
import type { NetworkView, Point } from "./network";
import { pivotMds } from "./pivotmds";

/**
 * Places of nodes that have none: springs along links, repulsion between near nodes (Fruchterman and Reingold 1991,
 * with their grid), from a start that depends on the network alone. The same network always looks the same.
 */

const ROUNDS = 120;
const SPACING = 120;
const HOST_DISTANCE = 78;
const HOST_FAN = Math.PI / 5;
const JITTER = SPACING / 8;
/** No network is so many cells high: a cell's number is of its column and its row. */
const FAR = 1_000_003;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

interface Moving {
  x: number;
  y: number;
  dx: number;
  dy: number;
  readonly neighbors: readonly number[];
}

/** A place for every node: the described ones keep theirs. */
export function placeNodes(view: NetworkView): ReadonlyMap<string, Point> {
  const names = [...view.nodes.keys()];
  const described = names.flatMap((name) => {
    const location = view.nodes.get(name)?.location;
    return location === undefined ? [] : [[name, location] as const];
  });
  if (described.length === names.length) {
    return new Map(described);
  }
  const index = new Map(names.map((name, i) => [name, i]));
  const nodes = start(names.length, linksOf(view, index));
  for (let round = 0; round < ROUNDS; round++) {
    relax(nodes, SPACING * (1 - round / ROUNDS) + 1);
  }
  const placed = new Map(names.map((name, i) => [name, { x: nodes[i]?.x ?? 0, y: nodes[i]?.y ?? 0 }] as const));
  return new Map([...placed, ...described]);
}

function linksOf(view: NetworkView, index: ReadonlyMap<string, number>): readonly (readonly [number, number])[] {
  return [...view.links.values()].flatMap((link) => {
    const a = index.get(link.a.node);
    const b = index.get(link.b.node);
    return a === undefined || b === undefined || a === b ? [] : [[a, b] as const];
  });
}

/**
 * Places near those that fit the distances to a few others (pivot MDS, Brandes and Pich 2006), and no two in one place.
 */
function start(count: number, links: readonly (readonly [number, number])[]): Moving[] {
  const neighbors: number[][] = Array.from({ length: count }, () => []);
  for (const [a, b] of links) {
    neighbors[a]?.push(b);
    neighbors[b]?.push(a);
  }
  const points = pivotMds(neighbors);
  const length = meanLength(points, links) || 1;
  return points.map((point, i) => ({
    x: (point.x / length) * SPACING + JITTER * Math.cos(i * GOLDEN_ANGLE),
    y: (point.y / length) * SPACING + JITTER * Math.sin(i * GOLDEN_ANGLE),
    dx: 0,
    dy: 0,
    neighbors: neighbors[i] ?? [],
  }));
}

function meanLength(points: readonly Point[], links: readonly (readonly [number, number])[]): number {
  const lengths = links.map(([a, b]) => {
    const [p, q] = [points[a], points[b]];
    return p === undefined || q === undefined ? 0 : Math.sqrt((p.x - q.x) ** 2 + (p.y - q.y) ** 2);
  });
  return lengths.reduce((sum, one) => sum + one, 0) / Math.max(1, lengths.length);
}

function relax(nodes: readonly Moving[], furthest: number): void {
  const cells = new Map<number, Moving[]>();
  const reach = 1.6 * SPACING;
  const cellOf = (value: number): number => Math.floor(value / reach);
  for (const node of nodes) {
    node.dx = 0;
    node.dy = 0;
    const key = cellOf(node.x) * FAR + cellOf(node.y);
    const cell = cells.get(key);
    if (cell === undefined) {
      cells.set(key, [node]);
    } else {
      cell.push(node);
    }
  }
  for (const node of nodes) {
    for (let cx = cellOf(node.x) - 1; cx <= cellOf(node.x) + 1; cx++) {
      for (let cy = cellOf(node.y) - 1; cy <= cellOf(node.y) + 1; cy++) {
        cells.get(cx * FAR + cy)?.forEach((other) => push(node, other, reach));
      }
    }
    node.neighbors.forEach((neighbor) => pull(node, nodes[neighbor]));
  }
  for (const node of nodes) {
    const length = Math.hypot(node.dx, node.dy) || 1;
    const step = Math.min(length, furthest);
    node.x += (node.dx / length) * step;
    node.y += (node.dy / length) * step;
  }
}

function push(node: Moving, other: Moving, reach: number): void {
  const dx = node.x - other.x;
  const dy = node.y - other.y;
  const square = dx * dx + dy * dy;
  if (square < reach * reach && square > 0) {
    const force = (SPACING * SPACING) / square;
    node.dx += dx * force;
    node.dy += dy * force;
  }
}

function pull(node: Moving, other: Moving | undefined): void {
  if (other !== undefined) {
    const dx = node.x - other.x;
    const dy = node.y - other.y;
    const force = Math.sqrt(dx * dx + dy * dy) / SPACING;
    node.dx -= dx * force;
    node.dy -= dy * force;
  }
}

/** Hosts stand in a fan on the side of their node where there are no neighbours. */
export function placeHosts(view: NetworkView, nodes: ReadonlyMap<string, Point>): ReadonlyMap<string, Point> {
  const places = new Map<string, Point>();
  for (const [name, at] of nodes) {
    const hosts = [...view.hosts.values()].filter((host) => host.at.node === name);
    if (hosts.length > 0) {
      const outward = freeAngle(view, nodes, name, at);
      hosts.forEach((host, i) => {
        const angle = outward + (i - (hosts.length - 1) / 2) * HOST_FAN * Math.min(1, 6 / hosts.length);
        places.set(host.name, { x: at.x + HOST_DISTANCE * Math.cos(angle), y: at.y + HOST_DISTANCE * Math.sin(angle) });
      });
    }
  }
  return places;
}

/** The middle of the widest gap between the directions of a node's links; up if it has none. */
function freeAngle(view: NetworkView, nodes: ReadonlyMap<string, Point>, name: string, at: Point): number {
  const angles = [...view.links.values()]
    .flatMap((link) => (link.a.node === name ? [link.b.node] : link.b.node === name ? [link.a.node] : []))
    .flatMap((neighbor) => nodes.get(neighbor) ?? [])
    .map((point) => Math.atan2(point.y - at.y, point.x - at.x))
    .sort((a, b) => a - b);
  const first = angles[0];
  if (first === undefined) {
    return -Math.PI / 2;
  }
  const gaps = angles.map((angle, i) => ({ angle, gap: (angles[i + 1] ?? first + 2 * Math.PI) - angle }));
  const widest = gaps.reduce((best, one) => (one.gap > best.gap + 1e-9 ? one : best));
  return widest.angle + widest.gap / 2;
}
