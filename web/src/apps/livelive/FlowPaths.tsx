// SPDX-License-Identifier: Apache-2.0
import { countText } from "../../model/format";
import type { FlowDirection } from "./api";
import { lookOf, stateText } from "./health";
import { laneOf } from "./lanes";

type Path = FlowDirection["paths"][number];

/** The paths of one direction: their nodes and, once packets flow, the deliveries of each. */
export function FlowPaths({ direction }: { readonly direction: FlowDirection }) {
  return (
    <section aria-label={`Paths from ${direction.from} to ${direction.to}`}>
      <h3>
        {direction.from} → {direction.to}
        {direction.delivered !== undefined && (
          <span class={`badge ${(direction.lost ?? 0) === 0 ? "good" : "warn"}`}>
            {countText(direction.delivered)} delivered
            {direction.lost !== undefined && `, ${countText(direction.lost)} lost`}
          </span>
        )}
        {lookOf(direction) !== "good" && <span class={`badge ${lookOf(direction)}`}>{stateText(direction)}</span>}
      </h3>
      <ul class="lanes">
        {direction.paths.map((path) => (
          <li class={`lane${laneOf(path.path)}`} key={path.path}>
            <p>
              <b>Path {path.path}</b> {path.nodes.join(" ")}
              {stateText(path) !== "" && <span class={`badge ${lookOf(path)}`}>{stateText(path)}</span>}
            </p>
            {path.first !== undefined && path.first + (path.duplicate ?? 0) > 0 && <Share path={path} />}
            <p class="quiet">{factsOf(path)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How many packets came this way first. */
function Share({ path }: { readonly path: Path }) {
  const share = path.winShare ?? 0;
  return (
    <div class="share">
      <meter
        min={0}
        max={1}
        value={share}
        aria-label={`Path ${path.path} was first for ${Math.round(share * 100)} %`}
      />
      <span>{Math.round(share * 100)} % first</span>
    </div>
  );
}

function factsOf(path: Path): string {
  const facts = [`metric ${path.metric}`, `${path.encapsulationBytes} bytes in front`];
  if (path.delayMicros !== undefined) {
    facts.push(`delay ${path.delayMicros} µs`);
  }
  const counted = (name: string, count: number | undefined): readonly string[] =>
    count === undefined ? [] : [`${countText(count)} ${name}`];
  facts.push(
    ...counted("sent", path.sent),
    ...counted("duplicates dropped", path.duplicate),
    ...counted("lost", path.lost),
  );
  if (path.behindFirstMedianMicros !== undefined) {
    facts.push(`${countText(path.behindFirstMedianMicros)} µs behind the first`);
  }
  return facts.join(" · ");
}
