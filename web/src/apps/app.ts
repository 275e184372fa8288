// SPDX-License-Identifier: Apache-2.0
import { createContext, type ComponentType } from "preact";
import type { Moment } from "../api/client";
import { counted } from "../model/format";
import type { Thing } from "../state/picture";

/**
 * An app of the controller in the GUI: a tab with a panel. A folder beside this file holds all of it, and its index.ts
 * has one of these as its default; nothing else names it. Its drawings over the map go into picture (state/picture.ts),
 * and its intents are an Intents (state/intents.ts).
 */
export interface App {
  /** The first part of the address behind "#/". */
  readonly id: string;
  readonly title: string;
  /** Tabs stand in this order, below {@link LAST}. The first is open where the address names none. */
  readonly place: number;
  readonly Panel: ComponentType;
  /** False if there is nothing to see here at all; without it, there is. One that has nothing has no tab. */
  shown?(): boolean;
  /** Things of this app that match the text in the search box. */
  search(text: string): readonly Found[];
  /** The troubles of this app, in a few words for the line at the top. */
  troubles(): readonly string[];
  /** The kind of intents whose pages stand at the id behind this app's own, by the controller's name of it. */
  readonly intents?: string;
  /** The address where this app shows a thing on the map, if it does; a click on the thing leads there. */
  pageOf?(thing: Thing): string;
  /**
   * Its pages while the map shows the past: all that is kept of them, and nothing of now. Apps with {@link intents}
   * need none: the states of these are kept. An app with neither is shown as it is now, and says so.
   */
  readonly Then?: ComponentType<{ readonly moment: Moment }>;
  /** The part of a host's page about this app: terms of its list, each a dt and a dd. */
  readonly AboutHost?: ComponentType<{ readonly host: string }>;
  /** The same of a node's page. */
  readonly AboutNode?: ComponentType<{ readonly node: string }>;
  /** A filter that nodes have by themselves: an item of the list of firewalls, or nothing. */
  readonly BuiltInFirewall?: ComponentType;
}

/** The place of the network itself. */
export const LAST = 100;

/** All apps, for parts of the page that each of them contributes to. */
export const Apps = createContext<readonly App[]>([]);

/** Something that the search box offers. */
export interface Found {
  readonly kind: string;
  readonly name: string;
  readonly address: string;
  /** The things to bring into view on the map. */
  readonly on?: string;
}

export const SEARCH_LIMIT = 8;

/** "1 policy failed": the intents of one kind that need attention. */
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
