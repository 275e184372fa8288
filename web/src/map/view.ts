// SPDX-License-Identifier: Apache-2.0
import type { Point } from "../model/network";

/** Where the plane lies under the screen, as the canvas takes it. */
export interface Viewport {
  readonly zoom: number;
  readonly pan: Point;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Around the shown part, a share of the screen stays free, with room for a name at least and not more than looks well.
 */
const SHARE = 0.08;
const LEAST = { x: 40, y: 34 };
const MOST = 110;
/** A name has room between the shown part and the elements over the lower edge. */
const NAME = 26;
const MAX_FIT_ZOOM = 1.9;
const MIN_FIT_ZOOM = 0.02;

/** A part of the screen, in pixels from its upper left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** So many pixels of the screen are left to elements over it. */
export interface Margins {
  readonly left: number;
  readonly above: number;
}

const NO_MARGINS: Margins = { left: 0, above: 0 };
/** An icon and its name reach so far from their place. */
const REACH = 24;

/** The margins that keep clear of boxes at the left and the upper edge, the narrowest first, none of them included. */
export function marginsBeside(over: readonly Box[], { height }: Size): readonly Margins[] {
  const upper = over.filter((box) => box.y + box.height < height / 2);
  const lefts = [0, ...over.map((box) => box.x + box.width)];
  const aboves = [0, ...upper.map((box) => box.y + box.height)];
  return lefts.flatMap((left) => aboves.map((above) => ({ left, above })));
}

/** True if no box covers any of the points. */
export function isClear(points: readonly Point[], { zoom, pan }: Viewport, over: readonly Box[]): boolean {
  const within = (at: number, from: number, length: number): boolean => at > from - REACH && at < from + length + REACH;
  return points.every(
    ({ x, y }) =>
      !over.some((box) => within(x * zoom + pan.x, box.x, box.width) && within(y * zoom + pan.y, box.y, box.height)),
  );
}

/**
 * All of the points in the middle of a screen, as large as they may be.
 *
 * @param covered so many pixels at the lower edge are hidden, such as by the legend
 * @param beside the boxes that cover the left and the upper edge
 */
export function fitting(
  points: readonly Point[],
  size: Size,
  covered = 0,
  most = MAX_FIT_ZOOM,
  beside: Margins = NO_MARGINS,
): Viewport {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x1, x2, y1, y2] = points.length === 0 ? [0, 0, 0, 0] : [least(xs), greatest(xs), least(ys), greatest(ys)];
  const [aside, edge] = [paddingOf(size.width, LEAST.x), paddingOf(size.height, LEAST.y)];
  const left = Math.max(aside, beside.left + REACH);
  const above = Math.max(edge, beside.above + REACH);
  const below = Math.max(edge, Math.min(covered + NAME, size.height / 3));
  const [room, tall] = [Math.max(1, size.width - left - aside), Math.max(1, size.height - above - below)];
  const zoom = Math.max(MIN_FIT_ZOOM, Math.min(most, room / Math.max(1, x2 - x1), tall / Math.max(1, y2 - y1)));
  return {
    zoom,
    pan: { x: left + room / 2 - (zoom * (x1 + x2)) / 2, y: above + tall / 2 - (zoom * (y1 + y2)) / 2 },
  };
}

function paddingOf(length: number, enough: number): number {
  return Math.min(MOST, Math.max(enough, SHARE * length));
}

/** As Math.min, of any number of values. */
function least(values: readonly number[]): number {
  return values.reduce((best, one) => Math.min(best, one));
}

function greatest(values: readonly number[]): number {
  return values.reduce((best, one) => Math.max(best, one));
}

/** Icons keep their size on the screen, but for a little: they may be smaller from far, and larger from near. */
const SMALLEST = 0.62;
const LARGEST = 1.25;

/** By how much an icon is drawn larger on the screen than at zoom 1. */
export function iconSize(zoom: number): number {
  return Math.min(LARGEST, Math.max(SMALLEST, zoom));
}

/** So far from its node a host stands on the screen at least; the layout puts it at 78 units. */
const HOST_PIXELS = 42;
const HOST_UNITS = 78;

/** By how much further from their nodes hosts stand than they are placed, or from far they would lie under them. */
export function hostSpread(zoom: number): number {
  return Math.max(1, HOST_PIXELS / (HOST_UNITS * zoom));
}

/** A place as much further from, or nearer to, another. */
export function spreadFrom(from: Point, place: Point, factor: number): Point {
  return { x: from.x + (place.x - from.x) * factor, y: from.y + (place.y - from.y) * factor };
}
