// SPDX-License-Identifier: Apache-2.0
import { Stepper } from "../../components/Stepper";
import type { Step } from "../../model/walk";
import { actionText } from "./text";
import { strings } from "./strings";

interface Props {
  readonly steps: readonly Step[];
  readonly at: number;
  readonly containers: number;
  readonly onStep: (to: number) => void;
}

/** The effect of each node on the container. */
export function Steps({ steps, at, containers, onStep }: Props) {
  return (
    <Stepper steps={steps} at={at} onStep={onStep}>
      {(step, i) => (
        <>
          <span class="who">
            <b>{step.hop.node}</b> <span class={`behavior ${step.action}`}>{step.hop.behavior}</span>
          </span>
          <code class="da">{step.hop.destinationAddress}</code>
          <span class="sl">{strings.segmentsLeft(step.hop.segmentsLeft)}</span>
          {i === at && <span class="what">{actionText(step, containers)}</span>}
        </>
      )}
    </Stepper>
  );
}
