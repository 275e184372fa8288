// SPDX-License-Identifier: Apache-2.0
import { countText } from "../../model/format";
import type { FlowDirection } from "./api";
import { lookOf, stateText } from "./health";
import { laneOf } from "./lanes";
import { strings } from "./strings";

type Path = FlowDirection["paths"][number];

/** The paths of one direction: their nodes and, once packets flow, the deliveries of each. */
export function FlowPaths({ direction }: { readonly direction: FlowDirection }) {
  return (
    <section aria-label={strings.pathsOf(direction.from, direction.to)}>
      <h3>
        {direction.from} → {direction.to}
        {direction.delivered !== undefined && (
          <span class={`badge ${(direction.lost ?? 0) === 0 ? "good" : "warn"}`}>
            {strings.delivered(
              countText(direction.delivered),
              direction.lost === undefined ? undefined : countText(direction.lost),
            )}
          </span>
        )}
        {lookOf(direction) !== "good" && <span class={`badge ${lookOf(direction)}`}>{stateText(direction)}</span>}
      </h3>
      <ul class="lanes">
        {direction.paths.map((path) => (
          <li class={`lane${laneOf(path.path)}`} key={path.path}>
            <p>
              <b>{strings.pathNumber(path.path)}</b> {path.nodes.join(" ")}
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
      <meter min={0} max={1} value={share} aria-label={strings.firstShare(path.path, Math.round(share * 100))} />
      <span>{strings.percentFirst(Math.round(share * 100))}</span>
    </div>
  );
}

function factsOf(path: Path): string {
  const facts = [strings.metric(path.metric), strings.overhead(path.encapsulationBytes)];
  if (path.delayMicros !== undefined) {
    facts.push(strings.delay(path.delayMicros));
  }
  const counted = (name: string, count: number | undefined): readonly string[] =>
    count === undefined ? [] : [strings.count(countText(count), name)];
  facts.push(
    ...counted(strings.sent, path.sent),
    ...counted(strings.duplicatesDropped, path.duplicate),
    ...counted(strings.lost, path.lost),
  );
  if (path.behindFirstMedianMicros !== undefined) {
    facts.push(strings.lag(countText(path.behindFirstMedianMicros)));
  }
  return facts.join(" · ");
}
