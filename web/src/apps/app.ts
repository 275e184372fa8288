// SPDX-License-Identifier: Apache-2.0
import type { ComponentType } from "preact";

/**
 * An app of the controller in the GUI: a tab with a panel. A folder beside this file holds all of it; what it wants
 * drawn over the map it puts into {@link picture}, and it hears of its intents by {@link onNews}. index.ts lists the apps.
 */
export interface App {
  /** The first part of the address behind "#/". */
  readonly id: string;
  readonly title: string;
  readonly Panel: ComponentType;
  /** Things of this app that match what is typed into the search box. */
  search(text: string): readonly Found[];
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
