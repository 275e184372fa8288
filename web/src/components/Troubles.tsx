// SPDX-License-Identifier: Apache-2.0
import { waitText } from "../model/contact";
import { whyGroups, type Trouble, type WhyGroup } from "../model/troubles";
import { controllerNow } from "../state/clock";
import { network } from "../state/network";

/**
 * Entries that are not as they should be, and why; a reason that several of a node have is shown once, and so is a node
 * that does not answer, whatever waits for it.
 */
export function Troubles({ of }: { readonly of: readonly Trouble[] }) {
  return (
    <>
      {whyGroups(of).map((group) =>
        group.silent ? (
          <Silent group={group} key={group.node} />
        ) : (
          <div class="trouble" key={`${group.node} ${group.why}`}>
            <b>{group.node}</b>: {group.why}
            <EntryNames of={group.entries} />
          </div>
        ),
      )}
    </>
  );
}

function Silent({ group: { node, entries } }: { readonly group: WhyGroup }) {
  const contact = network.value.nodes.get(node)?.contact ?? {};
  return (
    <details class="trouble">
      <summary>{waitText(node, contact, entries.length, controllerNow())}</summary>
      <EntryNames of={entries} />
    </details>
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
