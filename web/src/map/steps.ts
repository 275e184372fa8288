// SPDX-License-Identifier: Apache-2.0
import type { EdgeSingular, NodeSingular } from "cytoscape";
import type { Point } from "../model/network";

export type Drawn = NodeSingular | EdgeSingular;

/** The thing next to a place in a direction, or where the keyboard begins; a line is where its middle is. */
export function nextOf(things: readonly Drawn[], from: Drawn | undefined, dx: number, dy: number): Drawn | undefined {
  const here = from === undefined ? undefined : placeOf(from);
  let best: { thing: Drawn; cost: number } | undefined;
  for (const thing of things) {
    const cost = here === undefined ? firstness(thing) : costTo(here, placeOf(thing), dx, dy);
    if (thing !== from && cost < (best?.cost ?? Infinity)) {
      best = { thing, cost };
    }
  }
  return best?.thing;
}

function placeOf(thing: Drawn): Point {
  return thing.isNode() ? thing.position() : thing.midpoint();
}

/** The keyboard begins at the upper left, at something that is not a link. */
function firstness(thing: Drawn): number {
  const { x, y } = placeOf(thing);
  return thing.isNode() ? x + y : Infinity;
}

/** Far ahead is better than near aside; behind is nowhere. */
function costTo(here: Point, there: Point, dx: number, dy: number): number {
  const ahead = (there.x - here.x) * dx + (there.y - here.y) * dy;
  const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
  return ahead <= 1 ? Infinity : ahead + 2 * aside;
}
