// SPDX-License-Identifier: Apache-2.0

/** An entry of an intent that is not as it should be. */
export interface Trouble {
  readonly node: string;
  readonly table: string;
  readonly match: string;
  readonly state: string;
  readonly reason?: string | undefined;
  /** The node whose silence is the cause. */
  readonly waitsFor?: string | undefined;
}

/** The troubles at one node for one reason, or the intents that wait for one node that does not answer. */
export interface WhyGroup {
  readonly node: string;
  readonly why: string;
  /** The node does not answer, and that is all. */
  readonly silent: boolean;
  /** Table and key of each, with its node where that is another. */
  readonly entries: readonly string[];
}

/**
 * In the order in which the controller reports them; a node that does not answer is one cause wherever its entries are.
 */
export function whyGroups(troubles: readonly Trouble[]): readonly WhyGroup[] {
  const groups = new Map<string, WhyGroup>();
  for (const trouble of troubles) {
    const { table, match, state, reason, waitsFor } = trouble;
    const node = waitsFor ?? trouble.node;
    const why = reason ?? state;
    const key = JSON.stringify(waitsFor === undefined ? [node, why] : [node]);
    const known = groups.get(key) ?? { node, why, silent: waitsFor !== undefined, entries: [] };
    const entry = `${trouble.node === node ? "" : `${trouble.node} `}${table} ${match}`;
    groups.set(key, { ...known, entries: [...known.entries, entry] });
  }
  return [...groups.values()];
}
