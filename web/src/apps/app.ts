// SPDX-License-Identifier: Apache-2.0
import type { ComponentType } from "preact";
import { counted } from "../model/format";

/**
 * An app of the controller in the GUI: a tab with a panel. A folder beside this file holds all of it; what it wants
 * drawn over the map it puts into {@link picture}, and it hears of its intents by a Collection. index.ts lists the apps.
 */
export interface App {
  /** The first part of the address behind "#/". */
  readonly id: string;
  readonly title: string;
  readonly Panel: ComponentType;
  /** Things of this app that match what is typed into the search box. */
  search(text: string): readonly Found[];
  /** What of this app is not well, in a few words for the line at the top. */
  troubles(): readonly string[];
}

/** Something that the search box offers. */
export interface Found {
  readonly kind: string;
  readonly name: string;
  readonly address: string;
  /** What to bring into view on the map. */
  readonly on?: string;
}

export const SEARCH_LIMIT = 8;

/** "1 policy failed": the intents of one kind that need somebody. */
export function stateTroubles(
  intents: Iterable<{ readonly state: string }>,
  one: string,
  several: string,
): readonly string[] {
  const states = [...intents].map((intent) => intent.state);
  return ["FAILED", "DEGRADED"].flatMap((state) => {
    const count = states.filter((found) => found === state).length;
    return count === 0 ? [] : [`${counted(count, one, several)} ${state.toLowerCase()}`];
  });
}
