// SPDX-License-Identifier: Apache-2.0
import { whyGroups, type Trouble } from "../model/troubles";

/** Entries that are not as they should be, and why; a reason that several of a node have is told once. */
export function Troubles({ of }: { readonly of: readonly Trouble[] }) {
  return (
    <>
      {whyGroups(of).map(({ node, why, entries }) => (
        <div class="trouble" key={`${node} ${why}`}>
          <b>{node}</b>: {why}
          <EntryNames of={entries} />
        </div>
      ))}
    </>
  );
}

/** Entries as people read them. */
export function EntryNames({ of }: { readonly of: readonly string[] }) {
  return (
    <ul>
      {of.map((entry) => (
        <li key={entry}>
          <code>{entry}</code>
        </li>
      ))}
    </ul>
  );
}
