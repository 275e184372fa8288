// SPDX-License-Identifier: Apache-2.0
import { Stepper } from "../../components/Stepper";
import type { Header, Step } from "./walk";
import { strings } from "./strings";

interface Props {
  readonly steps: readonly Step[];
  readonly at: number;
  readonly onStep: (to: number) => void;
}

/** The packets that arrive at each node, and those that leave it. */
export function Steps({ steps, at, onStep }: Props) {
  return (
    <Stepper steps={steps} at={at} onStep={onStep}>
      {(step, i) => (
        <>
          <span class="who">
            <b>{step.node}</b> <span class="behavior">{step.behavior}</span>
          </span>
          {i === at && <span class="what">{step.text}</span>}
          {i === at && <Headers what={strings.received} headers={step.arrives} />}
          {i === at && <Headers what={strings.sent} headers={step.leaves} />}
          {i === at && step.argumentsAt !== undefined && i > 0 && (
            <span class="what quiet">{strings.argumentsAt(step.argumentsAt)}</span>
          )}
        </>
      )}
    </Stepper>
  );
}

/** A packet as its headers, outermost first; the UE's own packet is the last. */
function Headers({ what, headers }: { readonly what: string; readonly headers: readonly Header[] }) {
  return (
    <span class="packet">
      <span class="quiet">{what}</span>
      <span class="headers">
        {headers.map(({ of, name, says }, i) => (
          <span class={`header ${of}`} key={i}>
            <b>{name}</b> <code>{says}</code>
          </span>
        ))}
        <span class="header inner">
          <b>{strings.uePacket}</b>
        </span>
      </span>
    </span>
  );
}
