// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect } from "preact/hooks";
import { useAsked, useEvery, Waiting } from "../../components/Loaded";
import { State } from "../../components/State";
import { Warnings } from "../../components/Warnings";
import { addressOf } from "../../model/address";
import { network } from "../../state/network";
import { NOTHING, picture } from "../../state/picture";
import { mayWrite } from "../../state/session";
import type { Edge, EdgePort, NodeEdge } from "./api";
import { edgeNow, peers } from "./peers";
import { droppedTexts, filterText, outsiders, whyText } from "./text";

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
        <h2>Edge</h2>
        {mayWrite("edge") && (
          <a class="button primary" href={addressOf("edge", "+")}>
            Let a peer in
          </a>
        )}
      </div>
      <p class="quiet">
        Nobody behind an external port reaches a SID or speaks as the domain, but a peer. On the map: lines to those who
        are outside.
      </p>
      <Peers />
      {edge.is === "waiting" && <Waiting what="the edge" why="" />}
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
    <section aria-label="Peers">
      <h3>
        Peers <span class="count">{all.length}</span>
      </h3>
      <ul class="cards">
        {all.map(({ id, state, peer }) => (
          <li key={id}>
            <a class={`card ${state === "FAILED" ? "attention" : ""}`} href={addressOf("edge", "peers", id)}>
              <span class="title">{id}</span>
              <State state={state} />
              <span class="line">
                {peer.sources.join(", ")} <span class="quiet">at {peer.ports.join(", ")}</span>
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
      {edge.nodes.length === 0 && <p class="quiet">There are no nodes yet.</p>}
      {edge.nodes.map((node) => (
        <Node node={node} key={node.node} />
      ))}
    </>
  );
}

function Node({ node }: { readonly node: NodeEdge }) {
  return (
    <section aria-label={`Ports of ${node.node}`}>
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
          dropped {text}
        </span>
      ))}
      {port.peers.map(({ peer, source, packets }) => (
        <span class="open" key={peer + source}>
          open for <a href={addressOf("edge", "peers", peer)}>{peer}</a> <code>{source}</code>
          {packets === undefined ? "" : `, ${packets} let in`}
        </span>
      ))}
    </li>
  );
}
