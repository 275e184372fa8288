// SPDX-License-Identifier: Apache-2.0
import { useEffect } from "preact/hooks";
import { IntentList } from "../../components/IntentList";
import { LeavingLine } from "../../components/Leaving";
import { Spark } from "../../components/Sparkline";
import { State } from "../../components/State";
import { NOTHING, picture } from "../../state/picture";
import { addressOf } from "../../model/address";
import type { Measured } from "../../model/history";
import { isLeaving } from "../../model/leaving";
import { controllerNow } from "../../state/clock";
import { mayWrite } from "../../state/session";
import type { PolicyStatus } from "./api";
import { policies } from "./policies";
import { routeText, viaText } from "./text";
import { reroutedText } from "./wanted";
import { strings } from "./strings";

export function PolicyList() {
  useEffect(() => {
    picture.value = NOTHING;
  }, []);
  return (
    <IntentList
      intents={policies}
      at="policies"
      title={strings.policies}
      one={strings.policy}
      many={strings.things}
      add={["new", strings.newPolicy]}
      text={({ id, policy }) => `${id} ${routeText(policy)} ${viaText(policy)}`}
      by={strings.nameHostOrNode}
      about={strings.about(mayWrite("policies"))}
      measured="policy"
      card={(policy, hour) => <Card policy={policy} hour={hour} key={policy.id} />}
    />
  );
}

function Card({ policy, hour }: { readonly policy: PolicyStatus; readonly hour: Measured | undefined }) {
  return (
    <li>
      <a class={`card ${policy.state === "FAILED" ? "attention" : ""}`} href={addressOf("policies", policy.id)}>
        <span class="title">{policy.id}</span>
        <State state={policy.state} />
        <span class="line">{routeText(policy.policy)}</span>
        <span class="line quiet">{viaText(policy.policy)}</span>
        {policy.wanted !== undefined && <span class="line notice">{reroutedText(policy.wanted, controllerNow())}</span>}
        <Spark quantity="bytesPerSecond" values={hour?.get("bytesPerSecond")} />
        {isLeaving(policy) && <LeavingLine troubles={policy.troubles} />}
      </a>
    </li>
  );
}
