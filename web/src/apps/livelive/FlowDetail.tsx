// SPDX-License-Identifier: Apache-2.0
import { useEffect } from "preact/hooks";
import { problemText } from "../../api/why";
import { Back } from "../../components/Back";
import { HourFacts } from "../../components/HourFacts";
import { Leaving } from "../../components/Leaving";
import { useAsked, useEvery, Waiting } from "../../components/Loaded";
import { Missing, useWasThere } from "../../components/Missing";
import { Remove } from "../../components/Remove";
import { State } from "../../components/State";
import { Troubles } from "../../components/Troubles";
import { Warnings } from "../../components/Warnings";
import { clockText } from "../../model/clock";
import { isLeaving } from "../../model/leaving";
import { controllerNow } from "../../state/clock";
import { loaded, network } from "../../state/network";
import { NOTHING, picture } from "../../state/picture";
import { go } from "../../state/route";
import type { FlowStatus } from "./api";
import { endsText } from "./FlowList";
import { FlowPaths } from "./FlowPaths";
import { flowNow, flows } from "./flows";
import { lanesOf } from "./lanes";
import { strings } from "./strings";

/** As often as nodes count their ports. */
const LOOK_MILLIS = 2_000;

/** One flow, looked at again and again: the deliveries of its paths change all the time, and no news report it. */
export function FlowDetail({ id }: { readonly id: string }) {
  const known = flows.all.value?.get(id);
  const now = useAsked(() => flowNow(id), [known?.state, known?.since, useEvery(LOOK_MILLIS)]);
  const flow = now.is === "gone" ? undefined : now.is === "here" ? now.value : known;
  const was = useWasThere(flow !== undefined);
  const directions = flow?.directions ?? [];
  const leaving = flow !== undefined && isLeaving(flow);
  useEffect(() => {
    if (leaving) {
      return; // its own picture
    }
    picture.value = { ...NOTHING, paths: lanesOf(directions, (name) => network.value.hosts.has(name)) };
  }, [
    leaving,
    JSON.stringify(directions.map(({ state, paths }) => [state, paths.map((path) => [path.nodes, path.state])])),
    loaded.value,
  ]);
  return (
    <>
      <Back app="livelive" title={strings.liveLive} />
      {now.is === "gone" ? (
        <Missing one={strings.flow} id={id} was={was} />
      ) : flow === undefined ? (
        <Waiting what={strings.theFlow} why={now.is === "failed" ? now.why : ""} />
      ) : (
        <Detail flow={flow} />
      )}
    </>
  );
}

function Detail({ flow }: { readonly flow: FlowStatus }) {
  return (
    <>
      <div class="bar">
        <h2>{flow.id}</h2>
        <State state={flow.state} />
        <Remove
          of="livelive"
          id={flow.id}
          state={flow.state}
          etag={flow.etag}
          remove={(etag) => flows.remove(flow.id, etag)}
          gone={() => go("livelive")}
        />
      </div>
      <p>
        {endsText(flow)}
        {flow.flow.protocol !== undefined && ` ${String(flow.flow.protocol)} ${flow.flow.destinationPort ?? ""}`}
      </p>
      {flow.errors.map((problem) => (
        <p class="trouble" key={problem.field + problem.message}>
          {problemText(problem)}
        </p>
      ))}
      {isLeaving(flow) ? (
        <Leaving what={strings.flow} troubles={flow.troubles} />
      ) : (
        <>
          <Troubles of={flow.troubles} />
          <Warnings of={flow.warnings} />
        </>
      )}
      <HourFacts key={flow.id} of={`livelive:${flow.id}`} />
      {flow.directions.map((direction) => (
        <FlowPaths direction={direction} key={direction.flowId} />
      ))}
      {flow.events.length > 0 && (
        <section aria-label={strings.events}>
          <h3>{strings.events}</h3>
          <ul class="entries">
            {flow.events.map((event, i) => (
              <li key={i}>
                <span>
                  <b>{event.path === undefined ? strings.allPaths : strings.pathNumber(event.path)}</b> {event.message}
                </span>
                <span class="counter">{clockText(event.at, controllerNow())}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
