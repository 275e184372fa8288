// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { LeavingLine } from "../../components/Leaving";
import { Waiting } from "../../components/Loaded";
import { Spark } from "../../components/Sparkline";
import { useHistory } from "../../components/history";
import { State } from "../../components/State";
import { NOTHING, picture } from "../../state/picture";
import { addressOf } from "../../model/address";
import type { Measured } from "../../model/history";
import { isLeaving } from "../../model/leaving";
import { controllerNow } from "../../state/clock";
import { mayWrite } from "../../state/session";
import type { PolicyStatus } from "./api";
import { policies } from "./policies";
import { routeText, viaText } from "./text";
import { reroutedText } from "./wanted";

const PAGE = 200;

/** All policies; what needs attention comes first. */
export function PolicyList() {
  const [filter, setFilter] = useState("");
  useEffect(() => {
    picture.value = NOTHING;
  }, []);
  const all = policies.all.value;
  const found = [...(all?.values() ?? [])].filter((policy) => matches(policy, filter.toLowerCase())).sort(byAttention);
  const history = useHistory(found.slice(0, PAGE).map(nameOf));
  if (all === undefined) {
    return <Waiting what="the policies" why={policies.trouble.value} />;
  }
  return (
    <>
      <div class="bar">
        <h2>
          Policies <span class="count">{all.size}</span>
        </h2>
        {mayWrite("policies") && (
          <a class="button primary" href={addressOf("policies", "+", "new")}>
            New policy
          </a>
        )}
      </div>
      {all.size > 8 && (
        <input
          type="search"
          aria-label="Filter policies"
          placeholder="Filter by name, host or node"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      {all.size === 0 && <Empty />}
      <ul class="cards" aria-label="Policies">
        {found.slice(0, PAGE).map((policy) => (
          <li key={policy.id}>
            <Card policy={policy} hour={history.get(nameOf(policy))} />
          </li>
        ))}
      </ul>
      {found.length > PAGE && <p class="quiet">{found.length - PAGE} more: filter to find them.</p>}
    </>
  );
}

function Card({ policy, hour }: { readonly policy: PolicyStatus; readonly hour: Measured | undefined }) {
  return (
    <a class={`card ${policy.state === "FAILED" ? "attention" : ""}`} href={addressOf("policies", policy.id)}>
      <span class="title">{policy.id}</span>
      <State state={policy.state} />
      <span class="line">{routeText(policy.policy)}</span>
      <span class="line quiet">{viaText(policy.policy)}</span>
      {policy.wanted !== undefined && <span class="line notice">{reroutedText(policy.wanted, controllerNow())}</span>}
      <Spark quantity="bytesPerSecond" values={hour?.get("bytesPerSecond")} />
      {isLeaving(policy) && <LeavingLine troubles={policy.troubles} />}
    </a>
  );
}

/** What the history calls it. */
function nameOf({ id }: PolicyStatus): string {
  return `policy:${id}`;
}

function Empty() {
  return (
    <div class="nothing">
      <p>No policy yet.</p>
      <p class="quiet">
        {mayWrite("policies")
          ? "A policy says which traffic takes which path. Choose “New policy”, then click a host, the nodes on the way, and the host at the other end."
          : "A policy says which traffic takes which path. A user of role operator can create one."}
      </p>
    </div>
  );
}

function matches(policy: PolicyStatus, text: string): boolean {
  return `${policy.id} ${routeText(policy.policy)} ${viaText(policy.policy)}`.toLowerCase().includes(text);
}

/** What this page knows no word for comes first. */
const ATTENTION = ["FAILED", "DEGRADED", "REMOVING", "PENDING", "INSTALLED"];

function byAttention(one: PolicyStatus, other: PolicyStatus): number {
  return (
    ATTENTION.indexOf(one.state) - ATTENTION.indexOf(other.state) ||
    one.id.localeCompare(other.id, undefined, { numeric: true })
  );
}
