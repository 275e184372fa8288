// SPDX-License-Identifier: Apache-2.0

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A name that wants to be read, in pixels of the screen. */
export interface Wish {
  readonly id: string;
  /** Where it may stand, the best first. */
  readonly places: readonly Box[];
  /** The smaller comes first. */
  readonly rank: number;
  /** True for one that would rather lie over others than not be read. */
  readonly must: boolean;
}

/** So wide are the squares by which neighbours are found. */
const CELL = 64;

/**
 * Where each name stands so that none lies over another or over an icon, and over lines only where there is nothing
 * else; a name without a place is left out.
 */
export function placed(
  wishes: readonly Wish[],
  icons: readonly Box[],
  lines: readonly Box[] = [],
): ReadonlyMap<string, Box> {
  const taken = new Taken();
  icons.forEach((icon) => taken.add(icon));
  const crossed = new Taken();
  lines.forEach((line) => crossed.add(line));
  const found = new Map<string, Box>();
  for (const wish of [...wishes].sort((a, b) => a.rank - b.rank)) {
    const free = wish.places.filter((place) => !taken.meets(place));
    const box = free.find((place) => !crossed.meets(place)) ?? free[0] ?? (wish.must ? wish.places[0] : undefined);
    if (box !== undefined) {
      taken.add(box);
      found.set(wish.id, box);
    }
  }
  return found;
}

export function meet(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** Boxes by the squares of the screen that they touch. */
class Taken {
  private readonly cells = new Map<string, Box[]>();

  add(box: Box): void {
    for (const key of keysOf(box)) {
      const cell = this.cells.get(key);
      if (cell === undefined) {
        this.cells.set(key, [box]);
      } else {
        cell.push(box);
      }
    }
  }

  meets(box: Box): boolean {
    return keysOf(box).some((key) => this.cells.get(key)?.some((other) => meet(box, other)) === true);
  }
}

function keysOf({ x, y, width, height }: Box): readonly string[] {
  const range = (from: number, length: number): readonly number[] => {
    const [first, last] = [Math.floor(from / CELL), Math.floor((from + length) / CELL)];
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  };
  const rows = range(y, height);
  return range(x, width).flatMap((column) => rows.map((row) => `${column},${row}`));
}
