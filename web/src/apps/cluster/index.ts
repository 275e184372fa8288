// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../../model/address";
import { LAST, SEARCH_LIMIT, type App } from "../app";
import { cluster as now, several } from "./cluster";
import { ClusterPanel } from "./ClusterPanel";
import { NodeMember } from "./NodeMember";
import { troublesOf } from "./shares";
import "./style.css";
import { strings } from "./strings";

/** The controllers there are, and which of them acts for which node. */
const cluster: App = {
  id: "cluster",
  title: strings.cluster,
  place: LAST - 3,
  Panel: ClusterPanel,
  intents: "member",
  shown: () => several.value,
  search: (text) =>
    (several.value ? (now.value?.members ?? []) : [])
      .filter(({ id, address = "" }) => id.toLowerCase().includes(text) || address.includes(text))
      .slice(0, SEARCH_LIMIT)
      .map(({ id }) => ({ kind: "member", name: id, address: addressOf("cluster", id) })),
  troubles: () => (several.value && now.value !== undefined ? troublesOf(now.value) : []),
  AboutNode: NodeMember,
};
export default cluster;
