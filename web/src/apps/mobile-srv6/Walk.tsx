// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useState } from "preact/hooks";
import { Ways } from "../../components/Ways";
import { formatAt } from "../../state/format";
import { loaded } from "../../state/network";
import { NOTHING, picture, type Picture } from "../../state/picture";
import type { Slice, SliceWay } from "./api";
import { Bytes } from "./Bytes";
import { directionLane, linesOfOne } from "./lanes";
import { Segments } from "./Segments";
import { Steps } from "./Steps";
import { stepsOf } from "./walk";
import { strings } from "./strings";

interface Props {
  readonly slice: Slice;
  readonly ways: readonly SliceWay[];
  /** The slice's colour. */
  readonly lane: number;
  /** The parts of the map's picture that are not the walk's: stops, clicks. */
  readonly around?: Pick<Picture, "stops" | "pick">;
}

/** The ways of a slice: one is chosen, taken apart and walked; all are drawn, each direction in its colour. */
export function Walk({ slice, ways, lane, around }: Props) {
  const [wanted, setChosen] = useState(0);
  const [stepWanted, setStep] = useState(0);
  const chosen = Math.min(wanted, ways.length - 1);
  const way = ways[chosen];
  const steps = way === undefined ? [] : stepsOf(slice, way, formatAt(way.from));
  const at = Math.min(stepWanted, steps.length - 1);
  const step = steps[at];

  useLayoutEffect(() => {
    const next = steps.slice(at + 1).find(({ node }) => node !== step?.node)?.node;
    picture.value = {
      ...NOTHING,
      ...around,
      paths: linesOfOne(ways, lane),
      ...(step === undefined ? {} : { packet: { at: step.node, next } }),
    };
  }, [JSON.stringify(ways.map(({ hops }) => hops)), chosen, at, lane, around, loaded.value]);

  if (way === undefined || step === undefined) {
    return null;
  }
  const choose = (index: number): void => {
    setChosen(index);
    setStep(0);
  };
  return (
    <>
      <ul class="key" aria-label={strings.colorsOnTheMap}>
        {[...new Set(ways.map(({ direction }) => direction))].map((direction) => (
          <li class={`lane${directionLane(lane, direction)}`} key={direction}>
            {direction}
          </li>
        ))}
      </ul>
      <Ways
        label={strings.direction}
        ways={ways}
        chosen={chosen}
        onChoose={choose}
        text={({ direction }) => direction}
        remark={({ packets }) => packets}
      />
      <Segments way={way} format={formatAt(way.from)} at={step} />
      <Steps steps={steps} at={at} onStep={setStep} />
      <Bytes way={way} />
    </>
  );
}
