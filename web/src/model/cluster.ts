// SPDX-License-Identifier: Apache-2.0
import type { Point } from "./network";

/**
 * Which nodes of a large network are drawn as one: those of one square of the plane, and the squares shrink as one
 * comes nearer. So the number of drawn things is that which a screen has room for, whatever the size of the network.
 * The squares depend on places and nearness alone: moving sideways opens squares that come into view and changes
 * nothing that stays there.
 */

/** A network of so few things is drawn as it is. */
export const CLUSTERED_FROM = 240;
/** A node that has so much room on the screen, along each side, is in no crowd. */
const ROOM_PIXELS = 80;
/** So large is a square on the screen, or up to half as large again: the squares of the plane double. */
const SQUARE_PIXELS = 60;
/** Larger screens have larger squares, not more of them. */
const SQUARES = 110;
/** The part that is not in view is drawn as so many squares along a side. */
const SQUARES_OUTSIDE = 8;
/** Nothing is drawn as one that is looked at from so near. */
const NEAREST_ZOOM = 3;
/** Squares that are nearly in view are treated as in view. */
const MARGIN = 12;
const DEEPEST = 24;

/** The part of the plane on the screen, in its own units, and how many pixels one of them takes. */
export interface Window {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly zoom: number;
}

export interface Spot extends Point {
  readonly name: string;
  /** How many links it has: the one with the most gives a cluster its name. */
  readonly degree: number;
}

export interface Cluster extends Point {
  /** The same square has the same. */
  readonly key: string;
  readonly hub: string;
  readonly members: readonly string[];
}

interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
  readonly key: string;
  readonly depth: number;
}

/** The form of a square: its nodes one by one, as one, or by its quarters. */
type Fate = "single" | "cluster" | "quarters";

/** The clusters of nodes; a node in none is drawn by itself. @param alone those that are always */
export function clustersOf(
  spots: readonly Spot[],
  window: Window,
  alone: (name: string) => boolean,
): readonly Cluster[] {
  const all = squareAround(spots);
  const least = leastSide(window);
  const found: Cluster[] = [];
  const visit = (square: Square, inside: readonly Spot[]): void => {
    const fate = fateOf(square, inside.length, all.side, least, window);
    if (fate === "quarters") {
      quarters(square, inside).forEach(([quarter, of]) => visit(quarter, of));
    } else if (fate === "cluster") {
      found.push(clusterOf(square, inside));
    }
  };
  visit(
    all,
    spots.filter((spot) => !alone(spot.name)),
  );
  return found;
}

/** In the plane: a power of two, so that squares nest. */
function leastSide({ x1, y1, x2, y2, zoom }: Window): number {
  const pixels = Math.max(SQUARE_PIXELS, Math.sqrt(((x2 - x1) * (y2 - y1) * zoom * zoom) / SQUARES));
  return 2 ** Math.round(Math.log2(pixels / zoom));
}

function fateOf(square: Square, count: number, whole: number, least: number, window: Window): Fate {
  const seen = isSeen(square, window);
  const enough = seen ? least : Math.max(least, whole / SQUARES_OUTSIDE);
  if (count <= 1 || (seen && square.side <= enough && count * (ROOM_PIXELS / window.zoom) ** 2 <= square.side ** 2)) {
    return "single";
  }
  if (square.side > enough && square.depth < DEEPEST) {
    return "quarters";
  }
  return seen && window.zoom >= NEAREST_ZOOM ? "single" : "cluster";
}

/** Something of it is in view, or nearly. */
function isSeen({ x, y, side }: Square, { x1, y1, x2, y2 }: Window): boolean {
  const [aside, above] = [(x2 - x1) / MARGIN, (y2 - y1) / MARGIN];
  return x <= x2 + aside && x + side >= x1 - aside && y <= y2 + above && y + side >= y1 - above;
}

/** Its side is a power of two and its corner a multiple of it: it does not change with every node that is dragged. */
function squareAround(spots: readonly Spot[]): Square {
  const xs = spots.map(({ x }) => x);
  const ys = spots.map(({ y }) => y);
  const [left, top] = [Math.min(0, ...xs), Math.min(0, ...ys)];
  const extent = Math.max(1, Math.max(0, ...xs) - left, Math.max(0, ...ys) - top);
  const side = 2 ** Math.ceil(Math.log2(extent) + 1e-9);
  const at = (value: number): number => Math.floor(value / side) * side;
  return { x: at(left), y: at(top), side: 2 * side, key: "", depth: 0 };
}

function quarters(square: Square, inside: readonly Spot[]): readonly (readonly [Square, readonly Spot[]])[] {
  const side = square.side / 2;
  return [0, 1, 2, 3].map((quarter) => {
    const [right, low] = [quarter % 2, Math.floor(quarter / 2)];
    const part = {
      x: square.x + right * side,
      y: square.y + low * side,
      side,
      key: `${square.key}${quarter}`,
      depth: square.depth + 1,
    };
    return [
      part,
      inside.filter(({ x, y }) => half(x, square.x, side) === right && half(y, square.y, side) === low),
    ] as const;
  });
}

/** In which half of a square a place is: the second has its border. */
function half(value: number, start: number, side: number): number {
  return value >= start + side ? 1 : 0;
}

function clusterOf(square: Square, inside: readonly Spot[]): Cluster {
  const hub = inside.reduce((best, one) => (one.degree > best.degree ? one : best));
  const mean = (of: (spot: Spot) => number): number => inside.reduce((sum, one) => sum + of(one), 0) / inside.length;
  return {
    key: square.key,
    x: mean((spot) => spot.x),
    y: mean((spot) => spot.y),
    hub: hub.name,
    members: inside.map(({ name }) => name),
  };
}
