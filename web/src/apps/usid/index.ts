// SPDX-License-Identifier: Apache-2.0
import { policies } from "../../state/policies";
import { addressOf } from "../../model/address";
import { SEARCH_LIMIT, type App } from "../app";
import { PoliciesPanel } from "./PoliciesPanel";

/** uSID policies: list, walk, create. */
export const usidApp: App = {
  id: "policies",
  title: "Policies",
  Panel: PoliciesPanel,
  search: (text) =>
    [...(policies.value?.keys() ?? [])]
      .filter((id) => id.toLowerCase().includes(text))
      .slice(0, SEARCH_LIMIT)
      .map((id) => ({ kind: "policy", name: id, address: addressOf("policies", id) })),
};
