// SPDX-License-Identifier: Apache-2.0
import { useEffect } from "preact/hooks";
import { IntentList } from "../../components/IntentList";
import { LeavingLine } from "../../components/Leaving";
import { Spark } from "../../components/Sparkline";
import { State } from "../../components/State";
import { addressOf } from "../../model/address";
import { counted } from "../../model/format";
import type { Measured } from "../../model/history";
import { isLeaving } from "../../model/leaving";
import { NOTHING, picture } from "../../state/picture";
import type { FlowStatus } from "./api";
import { flows } from "./flows";
import { troublesOf } from "./health";
import { strings } from "./strings";

export function FlowList() {
  useEffect(() => {
    picture.value = NOTHING;
  }, []);
  return (
    <IntentList
      intents={flows}
      at="livelive"
      title={strings.liveLiveFlows}
      one={strings.flow}
      many={strings.flows}
      add={["new", strings.newFlow]}
      text={(flow) => `${flow.id} ${endsText(flow)}`}
      by={strings.nameOrHost}
      about={strings.about}
      measured="livelive"
      rank={attention}
      card={(flow, hour) => <Card flow={flow} hour={hour} key={flow.id} />}
    />
  );
}

function Card({ flow, hour }: { readonly flow: FlowStatus; readonly hour: Measured | undefined }) {
  const bad = troublesOf(flow);
  return (
    <li>
      <a
        class={`card ${bad.length > 0 || flow.state === "FAILED" ? "attention" : ""}`}
        href={addressOf("livelive", flow.id)}
      >
        <span class="title">{flow.id}</span>
        <State state={flow.state} />
        <span class="line">{endsText(flow)}</span>
        <span class="line quiet">
          {counted(flow.found ?? 0, "path")}
          {flow.relaxed !== undefined && flow.relaxed.length > 0 && strings.relaxed}
        </span>
        <Spark quantity="deliveredPerSecond" values={hour?.get("deliveredPerSecond")} />
        {bad.map((one) => (
          <span class="line trouble" key={`${one.from} ${one.path ?? ""}`}>
            {strings.pathState(one.path, one.from, one.to, one.state)}
          </span>
        ))}
        {isLeaving(flow) && <LeavingLine troubles={flow.troubles} />}
      </a>
    </li>
  );
}

export function endsText({ flow }: FlowStatus): string {
  return `${flow.from} ${flow.symmetry === "symmetric" ? "⇄" : "→"} ${flow.to}`;
}

/** Flows that are not installed first, then those that do not deliver as they should. */
function attention(flow: FlowStatus): number {
  return flow.state !== "INSTALLED" ? 0 : troublesOf(flow).length > 0 ? 1 : 2;
}
