// SPDX-License-Identifier: Apache-2.0

/** A field that two intents say differently, in words. */
export interface Difference {
  readonly field: string;
  readonly mine: string;
  readonly theirs: string;
}

const NOTHING_SAID = "–";

/** Where two intents differ: mine in its order, then the fields that only the other has. */
export function differences(mine: object, theirs: object): readonly Difference[] {
  const [one, other] = [new Map(Object.entries(mine)), new Map(Object.entries(theirs))];
  return [...new Set([...one.keys(), ...other.keys()])]
    .map((field) => ({ field, mine: textOf(one.get(field)), theirs: textOf(other.get(field)) }))
    .filter((row) => row.mine !== row.theirs);
}

/** A value as one would say it: lists without brackets, objects as JSON with their fields in order. */
function textOf(value: unknown): string {
  if (value === undefined) {
    return NOTHING_SAID;
  }
  if (Array.isArray(value)) {
    return value.map(textOf).join(", ");
  }
  if (typeof value === "object" && value !== null) {
    return JSON.stringify(Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))));
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}
