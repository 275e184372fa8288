// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../../model/address";
import { SEARCH_LIMIT, stateTroubles, type App } from "../app";
import { slices } from "./slices";
import { SlicesPanel } from "./SlicesPanel";
import "./style.css";
import { strings } from "./strings";

/** Slices of a mobile network, their sessions, and the translation of GTP-U on the path. */
const mobile: App = {
  id: "slices",
  title: strings.slices,
  place: 25,
  intents: "slice",
  Panel: SlicesPanel,
  search: (text) =>
    [...(slices.all.value?.keys() ?? [])]
      .filter((id) => id.toLowerCase().includes(text))
      .slice(0, SEARCH_LIMIT)
      .map((id) => ({ kind: "slice", name: id, address: addressOf("slices", id) })),
  troubles: () => stateTroubles(slices.all.value?.values() ?? [], strings.slice, "slices"),
};
export default mobile;
