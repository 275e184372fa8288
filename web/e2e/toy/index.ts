// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../../model/address";
import { stateTroubles, type App } from "../app";
import { toys } from "./api";
import { HostToys, ToyPanel } from "./ToyPanel";
import "./style.css";

/** An app that only this test knows. */
const toy: App = {
  id: "toys",
  title: "Toys",
  place: 30,
  Panel: ToyPanel,
  AboutHost: HostToys,
  search: (text) =>
    [...(toys.all.value?.keys() ?? [])]
      .filter((id) => id.includes(text))
      .map((id) => ({ kind: "toy", name: id, address: addressOf("toys", id) })),
  troubles: () => stateTroubles(toys.all.value?.values() ?? [], "toy", "toys"),
};
export default toy;
