// SPDX-License-Identifier: Apache-2.0
import { useEffect } from "preact/hooks";
import { State } from "../../components/State";
import { NOTHING, picture } from "../../state/picture";
import { addressOf } from "../../model/address";
import { mayWrite } from "../../state/session";
import { flows } from "./flows";

export function FlowList() {
  useEffect(() => {
    picture.value = NOTHING;
  }, []);
  const all = flows.value;
  if (all === undefined) {
    return <p class="quiet">Asking for the flows…</p>;
  }
  return (
    <>
      <div class="bar">
        <h2>
          Live-Live flows <span class="count">{all.size}</span>
        </h2>
        {mayWrite() && (
          <a class="button primary" href={addressOf("livelive", "+", "new")}>
            New flow
          </a>
        )}
      </div>
      {all.size === 0 && (
        <div class="nothing">
          <p>No flow yet.</p>
          <p class="quiet">
            A Live-Live flow is sent as copies over paths that share nothing; the far end delivers the first copy of
            each packet and drops the rest. A path may fail, and no packet is missing.
          </p>
        </div>
      )}
      <ul class="cards" aria-label="Flows">
        {[...all.values()].map((flow) => (
          <li key={flow.id}>
            <a class="card" href={addressOf("livelive", flow.id)}>
              <span class="title">{flow.id}</span>
              <State state={flow.state} />
              <span class="line">
                {flow.flow.from} {flow.flow.symmetry === "symmetric" ? "⇄" : "→"} {flow.flow.to}
              </span>
              <span class="line quiet">
                {flow.found ?? 0} paths{flow.relaxed !== undefined && flow.relaxed.length > 0 && ", not all disjoint"}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
