// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useState } from "preact/hooks";
import { Ways } from "../../components/Ways";
import { stepsOf } from "../../model/walk";
import { formatAt } from "../../state/format";
import { loaded, network } from "../../state/network";
import { NOTHING, picture, type PathLine, type Picture } from "../../state/picture";
import type { Direction } from "./api";
import { Branches } from "./Branches";
import { Bytes } from "./Bytes";
import { Cells } from "./Cells";
import { branchLines, linesOf } from "./paths";
import { Steps } from "./Steps";
import { strings } from "./strings";
import { strings as shared } from "../../components/strings";

interface Props {
  readonly directions: readonly Direction[];
  /** The parts of the map's picture that are not the walk's: stops, clicks. */
  readonly around?: Pick<Picture, "stops" | "pick">;
  /** The path that is wanted where that is another. */
  readonly ghost?: PathLine | undefined;
}

/** The directions of a plan: one is chosen, drawn, taken apart and walked. */
export function Walk({ directions, around, ghost }: Props) {
  const [wanted, setChosen] = useState(0);
  const [stepWanted, setStep] = useState(0);
  const chosen = Math.min(wanted, directions.length - 1);
  const direction = directions[chosen];
  const steps =
    direction === undefined ? [] : stepsOf(direction.containers, direction.hops, formatAt(direction.headend));
  const at = Math.min(stepWanted, steps.length - 1);
  const step = steps[at];

  useLayoutEffect(() => {
    const isHost = (name: string): boolean => network.value.hosts.has(name);
    const branches = direction === undefined ? [] : branchLines(direction, isHost);
    const lines = [...linesOf(directions, chosen, isHost), ...branches];
    const next = steps.slice(at + 1).find((one) => one.hop.node !== step?.hop.node)?.hop.node;
    const end = direction !== undefined && isHost(direction.to) ? direction.to : undefined;
    picture.value = {
      ...NOTHING,
      ...around,
      paths: ghost === undefined ? lines : [...lines, ghost],
      ...(step === undefined ? {} : { packet: { at: step.hop.node, next: next ?? end } }),
    };
  }, [directions, chosen, at, around, ghost, loaded.value]);

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
        <Ways
          label={shared.direction}
          ways={directions}
          chosen={chosen}
          onChoose={choose}
          text={(one) => `${one.from} → ${one.to}`}
          remark={wayText}
        />
      )}
      <Cells
        containers={direction.containers}
        format={formatAt(direction.headend)}
        at={{ container: step.container, consumed: step.consumed, takes: step.takes }}
      />
      <Steps steps={steps} at={at} containers={direction.containers.length} onStep={setStep} />
      <Branches of={direction.branches ?? []} />
      <Bytes direction={direction} />
      <details>
        <summary>{strings.outerHeader}</summary>
        <dl class="facts">
          <dt>{strings.source}</dt>
          <dd>
            <code>{direction.outerHeader.source ?? strings.sourceAddressOfTheNode}</code>
          </dd>
          <dt>{strings.destination}</dt>
          <dd>
            <code>{direction.outerHeader.destination}</code>
          </dd>
          <dt>{strings.srh}</dt>
          <dd>
            {direction.outerHeader.srhBytes === 0 ? (
              strings.none
            ) : (
              <code class="hex">{direction.outerHeader.srhHex.replace(/(.{8})(?=.)/g, "$1 ")}</code>
            )}
          </dd>
          <dt>{strings.steeredTraffic}</dt>
          <dd>
            <code>{[...direction.steering, ...(direction.flows ?? [])].join(", ")}</code>
          </dd>
        </dl>
      </details>
    </>
  );
}

function wayText(direction: Direction): string {
  const family = direction.family === "ipv6" ? strings.iPv6 : strings.iPv4;
  return direction.weight === undefined ? family : strings.weight(family, direction.weight);
}
