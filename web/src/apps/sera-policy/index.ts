// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../../model/address";
import { SEARCH_LIMIT, stateTroubles, type App } from "../app";
import { firewalls } from "./firewalls";
import { FirewallsPanel } from "./FirewallsPanel";
import "./style.css";
import { strings } from "./strings";

/** Firewalls on the path of policies: their rules, the counters of each, and the verdict on one packet. */
const sera: App = {
  id: "firewalls",
  title: strings.firewalls,
  place: 27,
  intents: "firewall",
  Panel: FirewallsPanel,
  search: (text) =>
    [...(firewalls.all.value?.keys() ?? [])]
      .filter((id) => id.toLowerCase().includes(text))
      .slice(0, SEARCH_LIMIT)
      .map((id) => ({ kind: "firewall", name: id, address: addressOf("firewalls", id) })),
  troubles: () => stateTroubles(firewalls.all.value?.values() ?? [], strings.firewall, "firewalls"),
};
export default sera;
