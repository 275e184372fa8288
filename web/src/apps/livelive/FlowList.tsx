// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { LeavingLine } from "../../components/Leaving";
import { Waiting } from "../../components/Loaded";
import { Spark } from "../../components/Sparkline";
import { State } from "../../components/State";
import { useHistory } from "../../components/history";
import { addressOf } from "../../model/address";
import { counted } from "../../model/format";
import type { Measured } from "../../model/history";
import { isLeaving } from "../../model/leaving";
import { NOTHING, picture } from "../../state/picture";
import { mayWrite } from "../../state/session";
import type { FlowStatus } from "./api";
import { flows } from "./flows";
import { troublesOf } from "./health";

const PAGE = 200;

export function FlowList() {
  const [filter, setFilter] = useState("");
  useEffect(() => {
    picture.value = NOTHING;
  }, []);
  const all = flows.all.value;
  const found = [...(all?.values() ?? [])].filter((flow) => matches(flow, filter.toLowerCase())).sort(byAttention);
  const history = useHistory(found.slice(0, PAGE).map(({ id }) => `livelive:${id}`));
  if (all === undefined) {
    return <Waiting what="the flows" why={flows.trouble.value} />;
  }
  return (
    <>
      <div class="bar">
        <h2>
          Live-Live flows <span class="count">{all.size}</span>
        </h2>
        {mayWrite("livelive") && (
          <a class="button primary" href={addressOf("livelive", "+", "new")}>
            New flow
          </a>
        )}
      </div>
      {all.size > 8 && (
        <input
          type="search"
          aria-label="Filter flows"
          placeholder="Filter by name or host"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      {all.size === 0 && (
        <div class="nothing">
          <p>No flow yet.</p>
          <p class="quiet">
            A Live-Live flow is sent as copies over paths that share nothing; the far end delivers the first copy of
            each packet and drops the rest. A path may fail, and no packet is missing.
          </p>
        </div>
      )}
      <ul class="cards" aria-label="Flows">
        {found.slice(0, PAGE).map((flow) => (
          <Card flow={flow} hour={history.get(`livelive:${flow.id}`)} key={flow.id} />
        ))}
      </ul>
      {found.length > PAGE && <p class="quiet">{found.length - PAGE} more: filter to find them.</p>}
    </>
  );
}

function Card({ flow, hour }: { readonly flow: FlowStatus; readonly hour: Measured | undefined }) {
  const bad = troublesOf(flow);
  return (
    <li>
      <a
        class={`card ${bad.length > 0 || flow.state === "FAILED" ? "attention" : ""}`}
        href={addressOf("livelive", flow.id)}
      >
        <span class="title">{flow.id}</span>
        <State state={flow.state} />
        <span class="line">{endsText(flow)}</span>
        <span class="line quiet">
          {counted(flow.found ?? 0, "path")}
          {flow.relaxed !== undefined && flow.relaxed.length > 0 && ", not all disjoint"}
        </span>
        <Spark quantity="deliveredPerSecond" values={hour?.get("deliveredPerSecond")} />
        {bad.map((one) => (
          <span class="line trouble" key={`${one.from} ${one.path ?? ""}`}>
            {one.path === undefined ? "The direction" : `Path ${one.path}`} from {one.from} to {one.to} is {one.state}
          </span>
        ))}
        {isLeaving(flow) && <LeavingLine troubles={flow.troubles} />}
      </a>
    </li>
  );
}

export function endsText({ flow }: FlowStatus): string {
  return `${flow.from} ${flow.symmetry === "symmetric" ? "⇄" : "→"} ${flow.to}`;
}

function matches(flow: FlowStatus, text: string): boolean {
  return `${flow.id} ${endsText(flow)}`.toLowerCase().includes(text);
}

/** What is not installed first, then what does not deliver as it should. */
function byAttention(one: FlowStatus, other: FlowStatus): number {
  const rank = (flow: FlowStatus): number => (flow.state !== "INSTALLED" ? 0 : troublesOf(flow).length > 0 ? 1 : 2);
  return rank(one) - rank(other) || one.id.localeCompare(other.id, undefined, { numeric: true });
}
