// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect } from "preact/hooks";
import { IntentList } from "../../components/IntentList";
import { LeavingLine } from "../../components/Leaving";
import { State } from "../../components/State";
import { addressOf } from "../../model/address";
import { isLeaving } from "../../model/leaving";
import { loaded } from "../../state/network";
import { NOTHING, picture } from "../../state/picture";
import type { SliceStatus } from "./api";
import { colourOf, drawnSlices } from "./drawn";
import { linesOfAll } from "./lanes";
import { slices } from "./slices";
import { gatewaysText, snssaiText, takesText } from "./text";
import { strings } from "./strings";

/** All slices, each drawn in its colour. */
export function SliceList() {
  useLayoutEffect(() => {
    picture.value = { ...NOTHING, paths: linesOfAll(drawnSlices()) };
  }, [slices.all.value, loaded.value]);
  return (
    <IntentList
      intents={slices}
      at="slices"
      title={strings.mobileSlices}
      one={strings.slice}
      many={strings.slicesThing}
      add={["new", strings.newSlice]}
      text={({ id, slice }) => `${id} ${gatewaysText(slice)} ${snssaiText(slice)}`}
      by={strings.nameSNssaiOrGateway}
      about={strings.about}
      card={(slice) => <Card slice={slice} lane={colourOf(slice.id)} key={slice.id} />}
    />
  );
}

function Card({ slice, lane }: { readonly slice: SliceStatus; readonly lane: number }) {
  return (
    <li class={`lane${lane}`}>
      <a class={`card ${slice.state === "FAILED" ? "attention" : ""}`} href={addressOf("slices", slice.id)}>
        <span class="title">{slice.id}</span>
        <State state={slice.state} />
        <span class="line">
          {gatewaysText(slice.slice)} <span class="quiet">{slice.slice.mode}</span>
        </span>
        <span class="line">{snssaiText(slice.slice)}</span>
        <span class="line quiet">{strings.matchesTraffic(takesText(slice.slice))}</span>
        {isLeaving(slice) && <LeavingLine troubles={slice.troubles} />}
      </a>
    </li>
  );
}
