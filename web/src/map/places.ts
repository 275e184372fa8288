// SPDX-License-Identifier: Apache-2.0
import type { NetworkView, Point } from "../model/network";

/** Where a person dragged things, kept in this browser, per network. */
const KEPT = "sextant.places.";

export function keptPlaces(view: NetworkView): Record<string, Point> {
  const kept = localStorage.getItem(keyOf(view));
  return kept === null ? {} : (JSON.parse(kept) as Record<string, Point>);
}

export function keepPlace(view: NetworkView, name: string, place: Point): void {
  localStorage.setItem(keyOf(view), JSON.stringify({ ...keptPlaces(view), [name]: place }));
}

export function forgetPlaces(view: NetworkView): void {
  localStorage.removeItem(keyOf(view));
}

/** A network is its nodes: with other nodes, it is another picture. FNV-1a over their names. */
function keyOf(view: NetworkView): string {
  let hash = 0x811c9dc5;
  for (const char of [...view.nodes.keys()].sort().join(" ")) {
    hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
  }
  return KEPT + hash.toString(36);
}
