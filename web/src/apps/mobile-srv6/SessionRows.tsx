// SPDX-License-Identifier: Apache-2.0
import { useAsked } from "../../components/Loaded";
import type { SessionPlan } from "./api";
import { teidText } from "./segments";
import { sessionPlan } from "./sessions";
import { flowText } from "./walk";
import { strings } from "./strings";

interface Props {
  readonly slice: string;
  readonly id: string;
  /** Another, when the plan may be. */
  readonly version: string;
}

/** A session on nodes: its arguments, and the rows that make it one of its slice. */
export function SessionRows({ slice, id, version }: Props) {
  const plan = useAsked(() => sessionPlan(slice, id), [version]);
  return plan.is === "here" ? (
    <details>
      <summary>{strings.tableEntries}</summary>
      <Rows plan={plan.value} />
    </details>
  ) : plan.is === "failed" ? (
    <p class="trouble">{plan.why}</p>
  ) : null;
}

export function Rows({ plan }: { readonly plan: SessionPlan }) {
  const args = plan.arguments;
  return (
    <>
      <dl class="facts">
        <dt>{strings.qoSClass}</dt>
        <dd>{plan.class}</dd>
        <dt>{strings.argsMobSession}</dt>
        <dd>
          {args === undefined ? (
            strings.noneNoDownlinkEndpointYet
          ) : (
            <>
              <code>{args.hex}</code>{" "}
              <span class="quiet">{strings.argumentsText(flowText(args), teidText(args.teid))}</span>
            </>
          )}
        </dd>
      </dl>
      <ul class="entries">
        {plan.entries.map((entry) => (
          <li key={`${entry.node} ${entry.table} ${entry.match}`}>
            <span class="what">
              <b>{entry.node}</b> <span class="table">{entry.table}</span> <code>{entry.match}</code>
            </span>
            <code class="action">{entry.action}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
