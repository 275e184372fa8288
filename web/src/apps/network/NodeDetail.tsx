// SPDX-License-Identifier: Apache-2.0
import { useContext, useState } from "preact/hooks";
import { answer, northbound, type Entry, type NodeDetail as Detail } from "../../api/client";
import { Back } from "../../components/Back";
import { EntryTable } from "../../components/EntryTable";
import { useAsked, Waiting, type Asked } from "../../components/Loaded";
import { State } from "../../components/State";
import { addressOf } from "../../model/address";
import { lostText, silenceText, waitText } from "../../model/contact";
import { rateText } from "../../model/format";
import { overloadText, type MapLink, type MapNode } from "../../model/network";
import { controllerNow } from "../../state/clock";
import { network, traffic, writes } from "../../state/network";
import { Apps } from "../app";
import { Outage } from "./Outage";
import { strings } from "./strings";

/** One node: its SIDs, the entries of its tables and why some are missing, its features, the traffic of its ports. */
export function NodeDetail({ name }: { readonly name: string }) {
  const node = network.value.nodes.get(name);
  const [asked, ask] = useState(0);
  const version = `${writes.value.get(name) ?? 0} ${node?.state ?? ""} ${asked}`;
  const params = { params: { path: { name } } };
  const detail = useAsked(() => answer(northbound.GET("/nodes/{name}", params)), [version]);
  const entries = useAsked(() => answer(northbound.GET("/nodes/{name}/entries", params)), [version]);
  return (
    <>
      <Back app="nodes" title={strings.nodes} />
      <div class="bar">
        <h2>{name}</h2>
        {node !== undefined && <State state={node.state} />}
        <button type="button" class="quiet" onClick={() => ask(asked + 1)} title={strings.readTheCountersAgain}>
          {strings.refresh}
        </button>
      </div>
      {node !== undefined && (
        <p class="quiet">
          {strings.kinds[node.kind]} · {node.edge ? strings.edge : strings.core}
        </p>
      )}
      {node !== undefined && node.reason !== "" && <Why node={node} waiting={detail} />}
      {node?.overload !== undefined && (
        <p class="warning" role="status">
          {overloadText(node, controllerNow())}
        </p>
      )}
      {detail.is === "waiting" && <Waiting what={strings.theNode} why="" />}
      {detail.is === "gone" && <p>{strings.noNode(name)}</p>}
      {detail.is === "failed" && <p class="trouble">{detail.why}</p>}
      {detail.is === "here" && detail.value.notice !== undefined && (
        <p class="warning" role="status">
          {detail.value.notice}
        </p>
      )}
      {detail.is === "here" && <Facts detail={detail.value} />}
      {detail.is === "here" && <Outage failed={name} />}
      {entries.is === "failed" && detail.is !== "failed" && <p class="trouble">{entries.why}</p>}
      {entries.is === "here" && <Entries entries={entries.value} />}
      {detail.is === "here" && <Capabilities detail={detail.value} />}
    </>
  );
}

/**
 * The meaning of a lost node, and the intents that wait for it; the text of the observation is shown here and nowhere
 * else.
 */
function Why({ node, waiting }: { readonly node: MapNode; readonly waiting: Asked<Detail> }) {
  if (node.state !== "LOST") {
    return <p class="trouble">{node.reason}</p>;
  }
  const entries = waiting.is === "here" ? waiting.value.waiting : 0;
  const silence = silenceText(node.name, node.contact, controllerNow());
  return (
    <div class="trouble" role="status">
      <p>{entries === 0 ? silence : waitText(node.name, node.contact, entries, controllerNow())}</p>
      <p>{lostText(node.contact, controllerNow())}</p>
      <details>
        <summary>{strings.errorOfTheSession}</summary>
        <p>{node.reason}</p>
      </details>
    </div>
  );
}

function Facts({ detail }: { readonly detail: Detail }) {
  const apps = useContext(Apps);
  return (
    <>
      <dl class="facts">
        <dt>{strings.usid}</dt>
        <dd>
          {detail.srv6 === undefined
            ? strings.noSrv6
            : strings.usidOfBlock(detail.srv6.uSid, detail.srv6.block, detail.srv6.format)}
        </dd>
        <dt>{strings.encapsulationSource}</dt>
        <dd>
          <code>{detail.srv6?.encapSource ?? "–"}</code>
        </dd>
        <dt>{strings.pipeline}</dt>
        <dd>{detail.pipeconf ?? "–"}</dd>
        <dt>{strings.managementAddress}</dt>
        <dd>
          <code>{detail.management ?? "–"}</code>
        </dd>
        {apps.map(
          ({ id, AboutNode }) =>
            AboutNode !== undefined && (
              <div data-app={id} key={id}>
                <AboutNode node={detail.name} />
              </div>
            ),
        )}
      </dl>
      <section aria-label={strings.ports}>
        <h3>{strings.ports}</h3>
        <ul class="ports">
          {(detail.ports ?? []).map((port) => {
            const rate = traffic.value.get(`${detail.name}/${port.number}`);
            return (
              <li key={port.number}>
                <b>{port.number}</b> {port.name} <Leads to={linkAt(detail.name, port.number)} from={detail.name} />
                <span class={`state ${port.up ? "good" : "bad"}`}>{port.up ? strings.up : strings.down}</span>
                <span class="quiet">
                  {port.mtuBytes === undefined ? "" : strings.portMtu(port.mtuBytes)}
                  {port.speedKbps === undefined ? "" : ` · ${rateText(port.speedKbps * 1000)}`}
                </span>
                <span class="rate">
                  {rate === undefined
                    ? strings.noCounters
                    : `↓ ${rateText(rate.inBitsPerSecond)} ↑ ${rateText(rate.outBitsPerSecond)}`}
                </span>
              </li>
            );
          })}
        </ul>
      </section>
    </>
  );
}

function linkAt(node: string, port: number): MapLink | undefined {
  return [...network.value.links.values()].find(({ a, b }) =>
    [a, b].some((end) => end.node === node && end.port === port),
  );
}

/** The link at a port: its page without the map. */
function Leads({ to, from }: { readonly to: MapLink | undefined; readonly from: string }) {
  if (to === undefined) {
    return null;
  }
  const other = to.a.node === from ? to.b.node : to.a.node;
  return <a href={addressOf("nodes", "link", to.id)}>{strings.linkTo(other)}</a>;
}

const SIDS = "my_sid";

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  const sids = entries.filter((entry) => entry.table === SIDS);
  const tables = [...new Set(entries.map((entry) => entry.table))].filter((table) => table !== SIDS);
  const trouble = entries.filter((entry) => entry.state !== "INSTALLED");
  return (
    <>
      {trouble.length > 0 && (
        <section aria-label={strings.notInstalled}>
          <h3>
            {strings.notInstalled} <span class="badge warn">{trouble.length}</span>
          </h3>
          <EntryTable entries={trouble} />
        </section>
      )}
      <section aria-label={strings.localSids}>
        <h3>
          {strings.localSids} <span class="count">{sids.length}</span>
        </h3>
        <EntryTable entries={sids} />
      </section>
      {tables.map((table) => {
        const rows = entries.filter((entry) => entry.table === table);
        return (
          <details key={table}>
            <summary>
              {table} <span class="count">{rows.length}</span>
            </summary>
            <EntryTable entries={rows} />
          </details>
        );
      })}
    </>
  );
}

function Capabilities({ detail }: { readonly detail: Detail }) {
  const capabilities = detail.capabilities;
  if (capabilities === undefined) {
    return <p class="quiet">{strings.capabilitiesUnknown}</p>;
  }
  return (
    <details>
      <summary>{strings.capabilities}</summary>
      <p>{strings.maxSegments(capabilities.maxSegments)}</p>
      <dl class="facts">
        {Object.entries(capabilities.tables).flatMap(([table, actions]) => [
          <dt key={table}>{table}</dt>,
          <dd key={`${table} actions`}>
            {actions.filter((action) => !/^segments_\d+$/.test(action)).join(", ") ||
              `segments_1 … segments_${capabilities.maxSegments}`}
          </dd>,
        ])}
      </dl>
    </details>
  );
}
