// SPDX-License-Identifier: Apache-2.0

/** An entry of an intent that is not as it should be. */
export interface Trouble {
  readonly node: string;
  readonly table: string;
  readonly match: string;
  readonly state: string;
  readonly reason?: string | undefined;
}

/** What is wrong at one node for one reason. */
export interface WhyGroup {
  readonly node: string;
  readonly why: string;
  /** Table and key of each. */
  readonly entries: readonly string[];
}

/** In the order in which the controller tells of them. */
export function whyGroups(troubles: readonly Trouble[]): readonly WhyGroup[] {
  const groups = new Map<string, WhyGroup>();
  for (const { node, table, match, state, reason } of troubles) {
    const why = reason ?? state;
    const key = JSON.stringify([node, why]);
    groups.set(key, { node, why, entries: [...(groups.get(key)?.entries ?? []), `${table} ${match}`] });
  }
  return [...groups.values()];
}
