// SPDX-License-Identifier: Apache-2.0
import type { PolicyPlan } from "./api";

/** What became of each candidate path, the best first. */
export function CandidatePaths({ of }: { readonly of: NonNullable<PolicyPlan["candidatePaths"]> }) {
  if (of.length === 0) {
    return null;
  }
  return (
    <section aria-label="Candidate paths">
      <h3>Candidate paths</h3>
      <ul class="entries">
        {of.map(({ index, preference, origin, state, cost, why }) => (
          <li key={index}>
            <span>
              <b>{preference}</b> {origin} <span class="quiet">{state.toLowerCase()}</span>
            </span>
            {cost !== undefined && <span class="counter">{costText(cost)}</span>}
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

type Cost = NonNullable<NonNullable<PolicyPlan["candidatePaths"]>[number]["cost"]>;

function costText({ igp, hops, delayMicros }: Cost): string {
  const delay = delayMicros === undefined ? "" : `, ${delayMicros} µs`;
  return `${hops} ${hops === 1 ? "link" : "links"}, IGP ${igp}${delay}`;
}
