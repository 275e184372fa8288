// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../../model/address";
import { SEARCH_LIMIT, stateTroubles, type App } from "../app";
import { BuiltIn } from "./BuiltIn";
import { EdgePanel } from "./EdgePanel";
import { NodeDrops } from "./NodeDrops";
import { peers } from "./peers";
import "./style.css";
import { strings } from "./strings";

/** The edge of the domain: roles of ports, drops there, and peers for which it is open. */
const edge: App = {
  id: "edge",
  title: strings.title,
  place: 28,
  Panel: EdgePanel,
  search: (text) =>
    [...(peers.all.value?.keys() ?? [])]
      .filter((id) => id.toLowerCase().includes(text))
      .slice(0, SEARCH_LIMIT)
      .map((id) => ({ kind: "peer", name: id, address: addressOf("edge", "peers", id) })),
  troubles: () => stateTroubles(peers.all.value?.values() ?? [], "peer", "peers"),
  AboutNode: NodeDrops,
  BuiltInFirewall: BuiltIn,
};
export default edge;
