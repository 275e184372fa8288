// SPDX-License-Identifier: Apache-2.0
import { useEffect } from "preact/hooks";
import { nodesOf, waitsFor } from "../model/leaving";
import { whyGroups, type Trouble } from "../model/troubles";
import { NOTHING, picture } from "../state/picture";
import { EntryNames } from "./Troubles";
import { strings } from "./strings";

/**
 * Stands where a deleted intent would be described: nothing is wrong with it and there is nothing to do, but until
 * these nodes delete its entries, they may still apply them to packets. They are marked on the map.
 */
export function Leaving({ what, troubles }: { readonly what: string; readonly troubles: readonly Trouble[] }) {
  const nodes = nodesOf(troubles);
  useEffect(() => {
    picture.value = { ...NOTHING, waiting: nodes };
    return () => {
      picture.value = NOTHING;
    };
  }, [nodes.join()]);
  return (
    <section class="leaving" aria-label={strings.deletionPending}>
      <p role="status">
        <b>{strings.deletionPending}</b>
        {nodes.length > 0 && ` – ${waitsFor(troubles)}`}
      </p>
      <p>{strings.removing(what)}</p>
      {whyGroups(troubles).map(({ node, why, entries }) => (
        <details key={`${node} ${why}`}>
          <summary>{strings.mayHave(node, entries.length)}</summary>
          <p>{why}</p>
          <EntryNames of={entries} />
        </details>
      ))}
    </section>
  );
}

/** The same in a line of a list. */
export function LeavingLine({ troubles }: { readonly troubles: readonly Trouble[] }) {
  return <span class="line quiet">{[strings.deletionPendingLine, waitsFor(troubles)].filter(Boolean).join(", ")}</span>;
}
