// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useState } from "preact/hooks";
import { formatByName } from "../../model/container";
import { stepsOf } from "../../model/walk";
import { loaded, network } from "../../state/network";
import { NOTHING, picture, type Picture } from "../../state/picture";
import type { Direction } from "./api";
import { Bytes } from "./Bytes";
import { Cells } from "./Cells";
import { linesOf } from "./paths";
import { Stepper } from "./Stepper";

interface Props {
  readonly directions: readonly Direction[];
  /** What of the map's picture is not the walk's: stops, clicks. */
  readonly around?: Pick<Picture, "stops" | "pick">;
}

/** The directions of a plan: one is chosen, drawn, taken apart and walked. */
export function Walk({ directions, around }: Props) {
  const [wanted, setChosen] = useState(0);
  const [stepWanted, setStep] = useState(0);
  const chosen = Math.min(wanted, directions.length - 1);
  const direction = directions[chosen];
  const steps = direction === undefined ? [] : stepsOf(direction.containers, direction.hops, formatOf(direction));
  const at = Math.min(stepWanted, steps.length - 1);
  const step = steps[at];

  useLayoutEffect(() => {
    const isHost = (name: string): boolean => network.value.hosts.has(name);
    const lines = linesOf(directions, chosen, isHost);
    const next = steps.slice(at + 1).find((one) => one.hop.node !== step?.hop.node)?.hop.node;
    const end = direction !== undefined && isHost(direction.to) ? direction.to : undefined;
    picture.value = {
      ...NOTHING,
      ...around,
      paths: lines,
      ...(step === undefined ? {} : { packet: { at: step.hop.node, next: next ?? end } }),
    };
  }, [directions, chosen, at, around, loaded.value]);

  if (direction === undefined || step === undefined) {
    return null;
  }
  const choose = (index: number): void => {
    setChosen(index);
    setStep(0);
  };
  return (
    <>
      {directions.length > 1 && (
        <div class="ways" role="group" aria-label="Direction">
          {directions.map((one, i) => (
            <button type="button" aria-pressed={i === chosen} onClick={() => choose(i)} key={i}>
              {one.from} → {one.to} <small>{wayText(one)}</small>
            </button>
          ))}
        </div>
      )}
      <Cells
        containers={direction.containers}
        format={formatOf(direction)}
        at={{ container: step.container, consumed: step.consumed, takes: step.takes }}
      />
      <Stepper steps={steps} at={at} containers={direction.containers.length} onStep={setStep} />
      <Bytes direction={direction} />
      <details>
        <summary>Outer header</summary>
        <dl class="facts">
          <dt>Source</dt>
          <dd>
            <code>{direction.outerHeader.source ?? "the node's own"}</code>
          </dd>
          <dt>Destination</dt>
          <dd>
            <code>{direction.outerHeader.destination}</code>
          </dd>
          <dt>SRH</dt>
          <dd>
            {direction.outerHeader.srhBytes === 0 ? (
              "none"
            ) : (
              <code class="hex">{direction.outerHeader.srhHex.replace(/(.{8})(?=.)/g, "$1 ")}</code>
            )}
          </dd>
          <dt>Steered</dt>
          <dd>
            <code>{direction.steering.join(", ")}</code>
          </dd>
        </dl>
      </details>
    </>
  );
}

function wayText(direction: Direction): string {
  const family = direction.family === "ipv6" ? "IPv6" : "IPv4";
  return direction.weight === undefined ? family : `${family}, weight ${direction.weight}`;
}

/** The format of the headend's containers; a network has one unless it says otherwise. */
function formatOf(direction: Direction) {
  const name = network.value.nodes.get(direction.headend)?.format ?? "F3216";
  return formatByName(name) ?? { name, blockBits: 32, usidBits: 16 };
}
