// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useState } from "preact/hooks";
import { LeavingLine } from "../../components/Leaving";
import { Waiting } from "../../components/Loaded";
import { State } from "../../components/State";
import { addressOf } from "../../model/address";
import { isLeaving } from "../../model/leaving";
import { loaded } from "../../state/network";
import { NOTHING, picture } from "../../state/picture";
import { mayWrite } from "../../state/session";
import type { SliceStatus } from "./api";
import { colourOf, drawnSlices } from "./drawn";
import { linesOfAll } from "./lanes";
import { slices } from "./slices";
import { gatewaysText, snssaiText, takesText } from "./text";

const PAGE = 200;

/** All slices, each drawn in its colour; what needs attention comes first. */
export function SliceList() {
  const [filter, setFilter] = useState("");
  const all = slices.all.value;
  useLayoutEffect(() => {
    picture.value = { ...NOTHING, paths: linesOfAll(drawnSlices()) };
  }, [all, loaded.value]);
  if (all === undefined) {
    return <Waiting what="the slices" why={slices.trouble.value} />;
  }
  const found = [...all.values()].filter((slice) => matches(slice, filter.toLowerCase())).sort(byAttention);
  return (
    <>
      <div class="bar">
        <h2>
          Mobile slices <span class="count">{all.size}</span>
        </h2>
        {mayWrite("slices") && (
          <a class="button primary" href={addressOf("slices", "+", "new")}>
            New slice
          </a>
        )}
      </div>
      {all.size > 8 && (
        <input
          type="search"
          aria-label="Filter slices"
          placeholder="Filter by name, S-NSSAI or gateway"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      {all.size === 0 && (
        <div class="nothing">
          <p>No slice yet.</p>
          <p class="quiet">
            A slice takes GTP-U of a mobile network from its gNBs, sends it as SRv6 over a path of its own, and gives
            GTP-U back to the UPF. gNB and UPF are as they were.
          </p>
        </div>
      )}
      <ul class="cards" aria-label="Slices">
        {found.slice(0, PAGE).map((slice) => (
          <Card slice={slice} lane={colourOf(slice.id)} key={slice.id} />
        ))}
      </ul>
      {found.length > PAGE && <p class="quiet">{found.length - PAGE} more: filter to find them.</p>}
    </>
  );
}

function Card({ slice, lane }: { readonly slice: SliceStatus; readonly lane: number }) {
  return (
    <li class={`lane${lane}`}>
      <a class={`card ${slice.state === "FAILED" ? "attention" : ""}`} href={addressOf("slices", slice.id)}>
        <span class="title">{slice.id}</span>
        <State state={slice.state} />
        <span class="line">
          {gatewaysText(slice.slice)} <span class="quiet">{slice.slice.mode}</span>
        </span>
        <span class="line">{snssaiText(slice.slice)}</span>
        <span class="line quiet">takes {takesText(slice.slice)}</span>
        {isLeaving(slice) && <LeavingLine troubles={slice.troubles} />}
      </a>
    </li>
  );
}

function matches({ id, slice }: SliceStatus, text: string): boolean {
  return `${id} ${gatewaysText(slice)} ${snssaiText(slice)}`.toLowerCase().includes(text);
}

function byAttention(one: SliceStatus, other: SliceStatus): number {
  const rank = (slice: SliceStatus): number => (slice.state === "INSTALLED" ? 1 : 0);
  return rank(one) - rank(other) || one.id.localeCompare(other.id, undefined, { numeric: true });
}
