// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../../model/address";
import { SEARCH_LIMIT, stateTroubles, type App } from "../app";
import { HostPolicies } from "./HostPolicies";
import { PoliciesPanel } from "./PoliciesPanel";
import { policies } from "./policies";
import "./style.css";
import { strings } from "./strings";

/** uSID policies: list, walk, create. */
const usid: App = {
  id: "policies",
  title: strings.policies,
  place: 10,
  intents: "policy",
  Panel: PoliciesPanel,
  AboutHost: HostPolicies,
  search: (text) =>
    [...(policies.all.value?.keys() ?? [])]
      .filter((id) => id.toLowerCase().includes(text))
      .slice(0, SEARCH_LIMIT)
      .map((id) => ({ kind: "policy", name: id, address: addressOf("policies", id) })),
  troubles: () => stateTroubles(policies.all.value?.values() ?? [], "policy", "policies"),
};
export default usid;
