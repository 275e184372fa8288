// SPDX-License-Identifier: Apache-2.0
import { useRef } from "preact/hooks";
import type { Step } from "../../model/walk";
import { actionText } from "./text";

interface Props {
  readonly steps: readonly Step[];
  readonly at: number;
  readonly containers: number;
  readonly onStep: (to: number) => void;
}

/** The packet's walk, node by node. Left and right go along it wherever the focus is in it. */
export function Stepper({ steps, at, containers, onStep }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const to = (index: number): void => {
    if (index >= 0 && index < steps.length) {
      onStep(index);
      list.current?.children[index]?.scrollIntoView({ block: "nearest" });
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (move !== 0) {
      event.preventDefault();
      to(at + move);
    }
  };
  return (
    <section class="stepper" aria-label="Walk of a packet" onKeyDown={onKeyDown}>
      <div class="bar">
        <h3>The walk</h3>
        <div role="group" aria-label="Step">
          <button type="button" aria-label="Previous node" aria-disabled={at === 0} onClick={() => to(at - 1)}>
            ‹
          </button>
          <span class="count" role="status">
            {at + 1} / {steps.length}
          </span>
          <button
            type="button"
            aria-label="Next node"
            aria-disabled={at === steps.length - 1}
            onClick={() => to(at + 1)}
          >
            ›
          </button>
        </div>
      </div>
      <ol class="steps" ref={list}>
        {steps.map((step, i) => (
          <li key={i}>
            <button
              type="button"
              aria-current={i === at ? "step" : undefined}
              onClick={() => to(i)}
              data-testid={`step-${i}`}
            >
              <span class="who">
                <b>{step.hop.node}</b> <span class={`behavior ${step.action}`}>{step.hop.behavior}</span>
              </span>
              <code class="da">{step.hop.destinationAddress}</code>
              <span class="sl">SL {step.hop.segmentsLeft}</span>
              {i === at && <span class="what">{actionText(step, containers)}</span>}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
