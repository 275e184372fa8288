// SPDX-License-Identifier: Apache-2.0
import { useEffect } from "preact/hooks";
import type { FlowStatus } from "../../api/client";
import { Back } from "../../components/Back";
import { useAsked } from "../../components/Loaded";
import { Remove } from "../../components/Remove";
import { State } from "../../components/State";
import { network, traffic } from "../../state/network";
import { NOTHING, picture } from "../../state/picture";
import { go } from "../../state/route";
import { mayWrite } from "../../state/session";
import { FlowPaths } from "./FlowPaths";
import { flowNow, flows, remove } from "./flows";
import { lanesOf } from "./lanes";

/** One flow, looked at again whenever ports were counted: what its paths deliver changes as they do. */
export function FlowDetail({ id }: { readonly id: string }) {
  const known = flows.value?.get(id);
  const now = useAsked(() => flowNow(id), [id, known?.state, traffic.value]);
  const flow = now.is === "here" ? now.value : known;
  useEffect(() => {
    const direction = flow?.directions[0];
    picture.value =
      direction === undefined
        ? NOTHING
        : { ...NOTHING, paths: lanesOf(direction, (name) => network.value.hosts.has(name)) };
  }, [JSON.stringify(flow?.directions.map((one) => one.paths.map((path) => [path.nodes, path.state])))]);
  return (
    <>
      <Back app="livelive" title="Live-Live" />
      {flow === undefined ? <p class="quiet">There is no flow “{id}”.</p> : <Detail flow={flow} />}
    </>
  );
}

function Detail({ flow }: { readonly flow: FlowStatus }) {
  return (
    <>
      <div class="bar">
        <h2>{flow.id}</h2>
        <State state={flow.state} />
        {mayWrite() && <Remove id={flow.id} remove={() => remove(flow.id)} gone={() => go("livelive")} />}
      </div>
      <p>
        {flow.flow.from} {flow.flow.symmetry === "symmetric" ? "⇄" : "→"} {flow.flow.to}
        {flow.flow.protocol !== undefined && ` ${String(flow.flow.protocol)} ${flow.flow.destinationPort ?? ""}`}
      </p>
      {flow.errors.map((problem) => (
        <p class="trouble" key={problem.field + problem.message}>
          {problem.message}; {problem.remedy}
        </p>
      ))}
      {flow.troubles.map((trouble) => (
        <p class="trouble" key={trouble.node + trouble.table + trouble.match}>
          <b>{trouble.node}</b> {trouble.table} <code>{trouble.match}</code>: {trouble.reason ?? trouble.state}
        </p>
      ))}
      <Relaxed relaxed={flow.relaxed ?? []} />
      {flow.directions.map((direction) => (
        <FlowPaths direction={direction} key={direction.flowId} />
      ))}
      {flow.events.length > 0 && (
        <section aria-label="What happened">
          <h3>What happened</h3>
          <ul class="entries">
            {flow.events.map((event) => (
              <li key={`${event.at} ${event.path}`}>
                <span>
                  <b>Path {event.path}</b> {event.message}
                </span>
                <span class="counter">{new Date(event.at).toLocaleTimeString()}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** What the paths share although it was asked otherwise. */
export function Relaxed({ relaxed }: { readonly relaxed: NonNullable<FlowStatus["relaxed"]> }) {
  return (
    <>
      {relaxed.map((one) => (
        <p class="warning" key={one.constraint + one.shared}>
          Paths {one.paths.join(" and ")} share the {one.constraint} {one.shared}: the network has no others.
        </p>
      ))}
    </>
  );
}
