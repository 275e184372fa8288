// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../../model/address";
import { policies } from "../../state/policies";
import { SEARCH_LIMIT, stateTroubles, type App } from "../app";
import { PoliciesPanel } from "./PoliciesPanel";

/** uSID policies: list, walk, create. */
export const usidApp: App = {
  id: "policies",
  title: "Policies",
  Panel: PoliciesPanel,
  search: (text) =>
    [...(policies.all.value?.keys() ?? [])]
      .filter((id) => id.toLowerCase().includes(text))
      .slice(0, SEARCH_LIMIT)
      .map((id) => ({ kind: "policy", name: id, address: addressOf("policies", id) })),
  troubles: () => stateTroubles(policies.all.value?.values() ?? [], "policy", "policies"),
};
