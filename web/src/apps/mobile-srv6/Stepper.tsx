// SPDX-License-Identifier: Apache-2.0
import { useRef } from "preact/hooks";
import type { Header, Step } from "./walk";

interface Props {
  readonly steps: readonly Step[];
  readonly at: number;
  readonly onStep: (to: number) => void;
}

/** The packet's walk, node by node. Left and right go along it wherever the focus is in it. */
export function Stepper({ steps, at, onStep }: Props) {
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
                <b>{step.node}</b> <span class="behavior">{step.behavior}</span>
              </span>
              {i === at && <span class="what">{step.text}</span>}
              {i === at && <Headers what="arrives" headers={step.arrives} />}
              {i === at && <Headers what="leaves" headers={step.leaves} />}
              {i === at && step.argumentsAt !== undefined && i > 0 && (
                <span class="what quiet">Arguments stand at bit {step.argumentsAt} of the destination here.</span>
              )}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A packet as its headers, outermost first; what the UE sent or gets is the last. */
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
          <b>UE’s packet</b>
        </span>
      </span>
    </span>
  );
}
