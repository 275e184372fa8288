// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../../model/address";
import { SEARCH_LIMIT, stateTroubles, type App } from "../app";
import { flows } from "./flows";
import { flowTroubles } from "./health";
import { LiveLivePanel } from "./LiveLivePanel";
import "./style.css";
import { strings } from "./strings";

/** Live-Live: flows that are copied over several paths, and the deliveries of each path. */
const livelive: App = {
  id: "livelive",
  title: strings.liveLive,
  place: 20,
  intents: "livelive",
  Panel: LiveLivePanel,
  search: (text) =>
    [...(flows.all.value?.keys() ?? [])]
      .filter((id) => id.toLowerCase().includes(text))
      .slice(0, SEARCH_LIMIT)
      .map((id) => ({ kind: "Live-Live", name: id, address: addressOf("livelive", id) })),
  troubles: () => {
    const all = [...(flows.all.value?.values() ?? [])];
    return [...stateTroubles(all, "flow", "flows"), ...flowTroubles(all)];
  },
};
export default livelive;
