// SPDX-License-Identifier: Apache-2.0
import type { PolicyPlan, WatchedPath } from "./api";
import { livenessText, probesText } from "./liveness";
import { strings } from "./strings";
import { counted } from "../../model/format";

/** The state of each candidate path, the best first, and the headend's observations of it. */
export function CandidatePaths({
  of,
  watched,
}: {
  readonly of: NonNullable<PolicyPlan["candidatePaths"]>;
  readonly watched: readonly WatchedPath[];
}) {
  if (of.length === 0) {
    return null;
  }
  return (
    <section aria-label={strings.candidatePaths}>
      <h3>{strings.candidatePaths}</h3>
      <ul class="entries">
        {of.map(({ index, preference, protocolOrigin, originator, origin, state, cost, why }) => (
          <li key={index}>
            <span>
              <b>{preference}</b> {origin}
              {sourceText(protocolOrigin, originator)} <span class="quiet">{state.toLowerCase()}</span>
            </span>
            {cost !== undefined && <span class="counter">{costText(cost)}</span>}
            <Liveness of={watched.find((one) => one.index === index)} />
            {why.map((text) => (
              <p class="quiet" key={text}>
                {text}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The liveness of a path: if packets take it and its probes come back; nothing for one that is not watched. */
function Liveness({ of }: { readonly of: WatchedPath | undefined }) {
  if (of === undefined) {
    return null;
  }
  return (
    <p class={of.liveness.state === "DOWN" ? "trouble" : "quiet"}>
      {[livenessText(of), probesText(of)].filter((text) => text !== "").join(": ")}
    </p>
  );
}

/** Where a path comes from, if not from a person here. */
function sourceText(protocol?: string, originator?: string): string {
  const by = protocol === undefined || protocol === "configuration" ? "" : strings.byProtocol(protocol);
  return originator === undefined || originator === "0:0" ? by : by + strings.fromOriginator(originator);
}

type Cost = NonNullable<NonNullable<PolicyPlan["candidatePaths"]>[number]["cost"]>;

function costText({ igp, hops, delayMicros }: Cost): string {
  return strings.cost(counted(hops, "link"), igp, delayMicros);
}
