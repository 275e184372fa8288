// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../../model/address";
import { counted } from "../../model/format";
import { network } from "../../state/network";
import { LAST, SEARCH_LIMIT, type App, type Found } from "../app";
import { NetworkPanel } from "./NetworkPanel";
import { NetworkThen } from "./NetworkThen";
import "./style.css";
import { strings } from "./strings";

/** Nodes, hosts and links: their properties, entries and states. */
const nodes: App = {
  id: "nodes",
  title: strings.nodes,
  place: LAST,
  Panel: NetworkPanel,
  Then: NetworkThen,
  search,
  troubles,
  pageOf: ({ kind, name }) => addressOf("nodes", kind, name),
};
export default nodes;

function search(text: string): readonly Found[] {
  const { nodes, hosts, links } = network.value;
  const found = (kind: "node" | "host" | "link", name: string, shown = name): Found => ({
    kind,
    name: shown,
    address: addressOf("nodes", kind, name),
    on: name,
  });
  return [
    ...[...nodes.values()]
      .filter((node) => node.name.toLowerCase().includes(text) || node.usid.includes(text))
      .map((node) => found("node", node.name)),
    ...[...hosts.values()]
      .filter((host) => host.name.toLowerCase().includes(text) || host.addresses.some((one) => one.includes(text)))
      .map((host) => found("host", host.name)),
    ...[...links.values()]
      .filter((link) => link.id.toLowerCase().includes(text))
      .map((link) => found("link", link.id, `${link.a.node} – ${link.b.node}`)),
  ].slice(0, SEARCH_LIMIT);
}

function troubles(): readonly string[] {
  const { nodes, links } = network.value;
  const lost = [...nodes.values()].filter((node) => node.state === "LOST").length;
  const down = [...links.values()].filter((link) => !link.up).length;
  return [
    ...(lost > 0 ? [strings.nodesLost(counted(lost, "node"))] : []),
    ...(down > 0 ? [strings.linksDown(counted(down, "link"))] : []),
  ];
}
