// SPDX-License-Identifier: Apache-2.0
import { network } from "../../state/network";
import { addressOf } from "../../model/address";
import { SEARCH_LIMIT, type App, type Found } from "../app";
import { NetworkPanel } from "./NetworkPanel";

/** Nodes, hosts and links: what they are, what they hold, how they do. */
export const networkApp: App = { id: "nodes", title: "Nodes", Panel: NetworkPanel, search };

function search(text: string): readonly Found[] {
  const { nodes, hosts } = network.value;
  const found = (kind: "node" | "host", name: string): Found => ({
    kind,
    name,
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
  ].slice(0, SEARCH_LIMIT);
}
