// SPDX-License-Identifier: Apache-2.0
import { useContext, useLayoutEffect, useState } from "preact/hooks";
import { LeavingLine } from "../../components/Leaving";
import { Waiting } from "../../components/Loaded";
import { State } from "../../components/State";
import { addressOf } from "../../model/address";
import { counted } from "../../model/format";
import { isLeaving } from "../../model/leaving";
import { NOTHING, picture } from "../../state/picture";
import { mayWrite } from "../../state/session";
import { Apps } from "../app";
import type { FirewallStatus } from "./api";
import { firewalls } from "./firewalls";
import { modeText } from "./text";

const PAGE = 200;

/** All firewalls; what needs attention comes first. */
export function FirewallList() {
  const [filter, setFilter] = useState("");
  const all = firewalls.all.value;
  const apps = useContext(Apps);
  useLayoutEffect(() => {
    picture.value = {
      ...NOTHING,
      stops: [...new Set([...(all?.values() ?? [])].map(({ firewall }) => firewall.node))],
    };
  }, [all]);
  if (all === undefined) {
    return <Waiting what="the firewalls" why={firewalls.trouble.value} />;
  }
  const found = [...all.values()].filter((one) => matches(one, filter.toLowerCase())).sort(byAttention);
  return (
    <>
      <div class="bar">
        <h2>
          Firewalls <span class="count">{all.size}</span>
        </h2>
        {mayWrite("firewalls") && (
          <a class="button primary" href={addressOf("firewalls", "+", "import")}>
            Import rules
          </a>
        )}
      </div>
      {all.size > 8 && (
        <input
          type="search"
          aria-label="Filter firewalls"
          placeholder="Filter by name or node"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      {all.size === 0 && (
        <div class="nothing">
          <p>No firewall yet.</p>
          <p class="quiet">
            A firewall is a SID of a node: policies go through it, its rules look at the packet inside and at the
            segments, and say where the packet goes next. Rules of ip6tables and nft can be imported.
          </p>
        </div>
      )}
      <ul class="cards" aria-label="Firewalls">
        {found.slice(0, PAGE).map((one) => (
          <Card status={one} key={one.id} />
        ))}
      </ul>
      <ul class="cards" aria-label="Built into nodes">
        {apps.map(({ id, BuiltInFirewall }) => BuiltInFirewall !== undefined && <BuiltInFirewall key={id} />)}
      </ul>
      {found.length > PAGE && <p class="quiet">{found.length - PAGE} more: filter to find them.</p>}
    </>
  );
}

function Card({ status }: { readonly status: FirewallStatus }) {
  const { firewall } = status;
  return (
    <li>
      <a class={`card ${status.state === "FAILED" ? "attention" : ""}`} href={addressOf("firewalls", status.id)}>
        <span class="title">{status.id}</span>
        <State state={status.state} />
        <span class="line">
          at {firewall.node} <span class="quiet">{modeText(firewall)}</span>
        </span>
        <span class="line quiet">
          {counted(firewall.rules.length, "rule")}, version {status.version}
        </span>
        {isLeaving(status) && <LeavingLine troubles={status.troubles} />}
      </a>
    </li>
  );
}

function matches({ id, firewall }: FirewallStatus, text: string): boolean {
  return `${id} ${firewall.node}`.toLowerCase().includes(text);
}

function byAttention(one: FirewallStatus, other: FirewallStatus): number {
  const rank = (status: FirewallStatus): number => (status.state === "INSTALLED" ? 1 : 0);
  return rank(one) - rank(other) || one.id.localeCompare(other.id, undefined, { numeric: true });
}
