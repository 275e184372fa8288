// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect } from "preact/hooks";
import { useAsked, useEvery, Waiting } from "../../components/Loaded";
import { State } from "../../components/State";
import { Warnings } from "../../components/Warnings";
import { addressOf } from "../../model/address";
import { counted } from "../../model/format";
import { network } from "../../state/network";
import { NOTHING, picture } from "../../state/picture";
import { mayWrite } from "../../state/session";
import type { Edge, EdgePort, NodeEdge } from "./api";
import { edgeNow, peers } from "./peers";
import { droppedTexts, filterText, outsiders, whyText } from "./text";
import { strings } from "./strings";

/** As often as nodes count their ports. */
const LOOK_MILLIS = 2_000;

/** All nodes with their ports; the map shows hosts outside, and those for which it is open. */
export function EdgeView() {
  const edge = useAsked(edgeNow, [useEvery(LOOK_MILLIS), network.value, peers.all.value]);
  useLayoutEffect(() => {
    picture.value = edge.is === "here" ? drawn(edge.value) : NOTHING;
  }, [edge]);
  return (
    <>
      <div class="bar">
        <h2>{strings.title}</h2>
        {mayWrite("edge") && (
          <a class="button primary" href={addressOf("edge", "+")}>
            {strings.addPeer}
          </a>
        )}
      </div>
      <p class="quiet">{strings.about}</p>
      <Peers />
      {edge.is === "waiting" && <Waiting what={strings.theEdge} why="" />}
      {edge.is === "failed" && <p class="trouble">{edge.why}</p>}
      {edge.is === "here" && <Nodes edge={edge.value} />}
    </>
  );
}

function drawn(edge: Edge): typeof picture.value {
  return {
    ...NOTHING,
    paths: outsiders(edge).map(({ host, node, open }) => ({
      id: `edge ${host}`,
      look: open ? "forward" : "other",
      outside: open ? "open" : "closed",
      hops: [{ from: host, to: node }],
    })),
  };
}

function Peers() {
  const all = [...(peers.all.value?.values() ?? [])];
  return all.length === 0 ? null : (
    <section aria-label={strings.peers}>
      <h3>
        {strings.peers} <span class="count">{all.length}</span>
      </h3>
      <ul class="cards">
        {all.map(({ id, state, peer }) => (
          <li key={id}>
            <a class={`card ${state === "FAILED" ? "attention" : ""}`} href={addressOf("edge", "peers", id)}>
              <span class="title">{id}</span>
              <State state={state} />
              <span class="line">
                {peer.sources.join(", ")} <span class="quiet">{strings.atPorts(peer.ports.join(", "))}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Nodes({ edge }: { readonly edge: Edge }) {
  return (
    <>
      <Warnings of={edge.warnings} />
      {edge.nodes.length === 0 && <p class="quiet">{strings.noNodes}</p>}
      {edge.nodes.map((node) => (
        <Node node={node} key={node.node} />
      ))}
    </>
  );
}

function Node({ node }: { readonly node: NodeEdge }) {
  return (
    <section aria-label={strings.portsOf(node.node)}>
      <h3>
        {node.node} <span class={node.filters ? "quiet" : "unfiltered"}>{filterText(node)}</span>
      </h3>
      <ul class="ports">
        {node.ports.map((port) => (
          <Port port={port} key={port.port} />
        ))}
      </ul>
    </section>
  );
}

function Port({ port }: { readonly port: EdgePort }) {
  return (
    <li>
      <b>{port.port}</b>
      <span>
        {port.name ?? ""} <span class="quiet">{whyText(port)}</span>
      </span>
      <span class={`role ${port.role}`}>{port.role}</span>
      {droppedTexts(port).map((text) => (
        <span class="dropped" key={text}>
          {strings.dropped(text)}
        </span>
      ))}
      {port.peers.map(({ peer, source, packets }) => (
        <span class="open" key={peer + source}>
          {strings.permits} <a href={addressOf("edge", "peers", peer)}>{peer}</a> <code>{source}</code>
          {packets === undefined ? "" : strings.admitted(counted(packets, "packet"))}
        </span>
      ))}
    </li>
  );
}
