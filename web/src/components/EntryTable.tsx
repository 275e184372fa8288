// SPDX-License-Identifier: Apache-2.0
import type { Entry } from "../api/client";
import { counted, countText } from "../model/format";
import { State } from "./State";
import { strings } from "./strings";

const PAGE = 200;
const UNAVAILABLE = "UNAVAILABLE";

/** A node's own words after its code; that one does not answer is said by the words alone. */
function whyOf({ code, reason }: Entry): string {
  return code === UNAVAILABLE ? (reason ?? "") : `${code ?? ""}: ${reason ?? ""}`;
}

/**
 * Entries with state, reason and counters, a card each: tables of addresses do not fit beside a map. A reason that all
 * of them have is shown once.
 */
export function EntryTable({
  entries,
  nodes = false,
}: {
  readonly entries: readonly Entry[];
  readonly nodes?: boolean;
}) {
  const reasons = new Set(entries.map((entry) => entry.reason));
  const shared = entries.length > 1 && reasons.size === 1 ? entries[0] : undefined;
  return (
    <>
      {shared?.reason !== undefined && <p class="trouble">{whyOf(shared)}</p>}
      <ul class="entries">
        {entries.slice(0, PAGE).map((entry) => (
          <li
            key={`${entry.node} ${entry.table} ${entry.match}`}
            class={entry.state === "INSTALLED" ? "" : "attention"}
          >
            <span class="what">
              {nodes && <b>{entry.node}</b>} <span class="table">{entry.table}</span> <code>{entry.match}</code>
            </span>
            <State state={entry.state} />
            <code class="action">{entry.action}</code>
            {entry.packets !== undefined && (
              <span class="counter">
                {strings.counters(counted(entry.packets, "packet"), counted(entry.bytes ?? 0, "byte"))}
              </span>
            )}
            {entry.reason !== undefined && shared === undefined && <span class="trouble">{whyOf(entry)}</span>}
          </li>
        ))}
      </ul>
      {entries.length > PAGE && <p class="quiet">{strings.moreEntries(countText(entries.length - PAGE))}</p>}
    </>
  );
}
