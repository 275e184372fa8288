// SPDX-License-Identifier: Apache-2.0
import { endsOf } from "./network";

/** A link as it was: both its directions, of which each may have carried something. */
export interface LinkThen {
  readonly id: string;
  readonly one: string;
  readonly other: string;
  readonly up: boolean;
  /** From {@link one} to {@link other}; undefined if it was not measured. */
  readonly there: number | undefined;
  readonly back: number | undefined;
}

interface Directed {
  readonly id: string;
  readonly up: boolean;
  readonly bitsPerSecond?: number | undefined;
}

/** The links of a moment, each once, in the order of their names; those that were down come first. */
export function linksThen(directions: readonly Directed[]): readonly LinkThen[] {
  const byId = new Map(directions.map((direction) => [direction.id, direction]));
  return directions
    .filter(({ id }) => !byId.has(turned(id)) || inOrder(id))
    .map(({ id, up, bitsPerSecond }) => {
      const [one = "", other = ""] = endsOf(id).map(nodeOf);
      const back = byId.get(turned(id));
      return { id, one, other, up: up && back?.up !== false, there: bitsPerSecond, back: back?.bitsPerSecond };
    })
    .sort((a, b) => Number(a.up) - Number(b.up) || byName(a.id, b.id));
}

/** Whichever direction an address names. */
export function isLink(link: LinkThen, id: string): boolean {
  return link.id === id || link.id === turned(id);
}

function turned(id: string): string {
  const [one = "", other = ""] = endsOf(id);
  return `${other}-${one}`;
}

function inOrder(id: string): boolean {
  const [one = "", other = ""] = endsOf(id);
  return byName(one, other) <= 0;
}

function nodeOf(end: string): string {
  return end.replace(/\/\d+$/, "");
}

interface Stated {
  readonly name: string;
  readonly state: string;
}

const WELL = new Set(["SYNCED", "INSTALLED", "UP"]);

/** Things that were not well come first. */
export function byAttention(one: Stated, other: Stated): number {
  return Number(WELL.has(one.state)) - Number(WELL.has(other.state)) || byName(one.name, other.name);
}

function byName(one: string, other: string): number {
  return one.localeCompare(other, undefined, { numeric: true });
}

/** The intents of one kind at a moment; undefined if none are known of so long ago. */
export function intentsThen(
  moment: { readonly intents?: readonly { readonly kind: string; readonly id: string; readonly state: string }[] },
  kind: string,
): readonly Stated[] | undefined {
  return moment.intents
    ?.filter((intent) => intent.kind === kind)
    .map(({ id, state }) => ({ name: id, state }))
    .sort(byAttention);
}
