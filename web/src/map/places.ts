// SPDX-License-Identifier: Apache-2.0
import type { NetworkView, Point } from "../model/network";
import { forget, keep, kept } from "../state/kept";

/** Where a person dragged things, kept in this browser, per network. */
const KEPT = "sextant.places.";

export function keptPlaces(view: NetworkView): Readonly<Record<string, Point>> {
  const places = kept(keyOf(view));
  return typeof places === "object" && places !== null
    ? Object.fromEntries(Object.entries(places).filter((entry): entry is [string, Point] => isPoint(entry[1])))
    : {};
}

function isPoint(value: unknown): value is Point {
  const { x, y } = (value ?? {}) as Partial<Point>;
  return Number.isFinite(x) && Number.isFinite(y);
}

export function keepPlaces(view: NetworkView, places: Readonly<Record<string, Point>>): void {
  keep(keyOf(view), { ...keptPlaces(view), ...places });
}

export function forgetPlaces(view: NetworkView): void {
  forget(keyOf(view));
}

/** A network is its nodes: with other nodes, it is another picture. FNV-1a over their names. */
function keyOf(view: NetworkView): string {
  let hash = 0x811c9dc5;
  for (const char of [...view.nodes.keys()].sort().join(" ")) {
    hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
  }
  return KEPT + hash.toString(36);
}
