// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import "./walk.css";
import { strings } from "./strings";

interface Props<Step> {
  readonly steps: readonly Step[];
  readonly at: number;
  readonly onStep: (to: number) => void;
  /** The text about a step; more of the one where the packet is. */
  readonly children: (step: Step, index: number) => ComponentChildren;
}

/** The packet's walk, node by node. Left and right go along it wherever the focus is in it. */
export function Stepper<Step>({ steps, at, onStep, children }: Props<Step>) {
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
    <section class="stepper" aria-label={strings.walk} onKeyDown={onKeyDown}>
      <div class="bar">
        <h3>{strings.walkHeading}</h3>
        <div role="group" aria-label={strings.step}>
          <button type="button" aria-label={strings.previousNode} aria-disabled={at === 0} onClick={() => to(at - 1)}>
            ‹
          </button>
          <span class="count" role="status">
            {at + 1} / {steps.length}
          </span>
          <button
            type="button"
            aria-label={strings.nextNode}
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
              {children(step, i)}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
