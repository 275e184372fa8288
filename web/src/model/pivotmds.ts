// SPDX-License-Identifier: Apache-2.0
import type { Point } from "./network";

/**
 * Pivot MDS (Brandes and Pich, 2006): hop distances to a few nodes that are far from each other, centred, and their two
 * main axes. It unfolds a network as a whole, which forces between neighbours cannot.
 */

const PIVOTS = 24;
const POWER_ROUNDS = 60;

/** Coordinates for every node, from its neighbors; the same for the same network. */
export function pivotMds(neighbors: readonly (readonly number[])[]): readonly Point[] {
  const columns = centred(pivotDistances(neighbors));
  const first = mainAxis(columns, []);
  const second = mainAxis(columns, [first]);
  return neighbors.map((_, node) => ({ x: along(columns, first, node), y: along(columns, second, node) }));
}

/** Hops from each pivot; the next pivot is the node furthest from all before. Unreachable nodes are far away. */
function pivotDistances(neighbors: readonly (readonly number[])[]): number[][] {
  const nearest = new Array<number>(neighbors.length).fill(Infinity);
  const columns: number[][] = [];
  let pivot = 0;
  while (columns.length < Math.min(PIVOTS, neighbors.length)) {
    const hops = hopsFrom(pivot, neighbors);
    columns.push(hops);
    hops.forEach((count, node) => {
      nearest[node] = Math.min(nearest[node] ?? 0, count);
    });
    pivot = nearest.indexOf(Math.max(...nearest));
  }
  return columns;
}

function hopsFrom(start: number, neighbors: readonly (readonly number[])[]): number[] {
  const hops = new Array<number>(neighbors.length).fill(-1);
  hops[start] = 0;
  const queue = [start];
  for (let next = 0; next < queue.length; next++) {
    const node = queue[next] ?? 0;
    for (const neighbor of neighbors[node] ?? []) {
      if (hops[neighbor] === -1) {
        hops[neighbor] = (hops[node] ?? 0) + 1;
        queue.push(neighbor);
      }
    }
  }
  const far = 1.5 * Math.max(...hops) + 2;
  return hops.map((count) => (count === -1 ? far : count));
}

/** Squared distances without the means of their rows and columns. */
function centred(columns: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const squares = columns.map((column) => column.map((hops) => hops * hops));
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
  const ofColumn = squares.map(mean);
  const ofNode = (squares[0] ?? []).map((_, node) => mean(squares.map((column) => column[node] ?? 0)));
  const ofAll = mean(ofColumn);
  return squares.map((column, i) =>
    column.map((square, node) => -(square - (ofColumn[i] ?? 0) - (ofNode[node] ?? 0) + ofAll) / 2),
  );
}

/** The weights of the pivots that spread the nodes most, at right angles to the axes before: power iteration. */
function mainAxis(columns: readonly (readonly number[])[], before: readonly (readonly number[])[]): readonly number[] {
  let axis = unit(columns.map((_, i) => Math.cos(i + before.length)));
  for (let round = 0; round < POWER_ROUNDS; round++) {
    const spread = (columns[0] ?? []).map((_, node) => along(columns, axis, node));
    const next = columns.map((column) => dot(column, spread));
    axis = unit(before.reduce((rest, other) => minus(rest, other), next));
  }
  return axis;
}

function along(columns: readonly (readonly number[])[], axis: readonly number[], node: number): number {
  return columns.reduce((sum, column, i) => sum + (column[node] ?? 0) * (axis[i] ?? 0), 0);
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);
}

function minus(vector: readonly number[], axis: readonly number[]): readonly number[] {
  const share = dot(vector, axis);
  return vector.map((value, i) => value - share * (axis[i] ?? 0));
}

function unit(vector: readonly number[]): readonly number[] {
  const length = Math.sqrt(dot(vector, vector)) || 1;
  return vector.map((value) => value / length);
}
