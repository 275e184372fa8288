// SPDX-License-Identifier: Apache-2.0
import { answer, northbound } from "../../api/client";
import { EntryTable } from "../../components/EntryTable";
import { useAsked } from "../../components/Loaded";
import { writes } from "../../state/network";
import { strings } from "./strings";

/** The policy's entries on the nodes, and how many of them were read back. */
export function PolicyEntries({ id, version }: { readonly id: string; readonly version: string }) {
  const written = [...writes.value.values()].reduce((sum, one) => sum + one, 0);
  const entries = useAsked(
    () => answer(northbound.GET("/entries", { params: { query: { intent: `policy/${id}` } } })),
    [version, written],
  );
  if (entries.is === "waiting" || entries.is === "gone") {
    return null;
  }
  if (entries.is === "failed") {
    return <p class="trouble">{entries.why}</p>;
  }
  const installed = entries.value.filter((entry) => entry.state === "INSTALLED").length;
  return (
    <section aria-label={strings.tableEntries}>
      <h3>
        {strings.tableEntries}{" "}
        <span class={`badge ${installed === entries.value.length ? "good" : "warn"}`}>
          {strings.readBack(installed, entries.value.length)}
        </span>
      </h3>
      <progress max={Math.max(1, entries.value.length)} value={installed} aria-label={strings.installedEntries} />
      <EntryTable entries={entries.value} nodes />
    </section>
  );
}
