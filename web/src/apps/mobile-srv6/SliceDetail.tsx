// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect } from "preact/hooks";
import { problemText } from "../../api/why";
import { Back } from "../../components/Back";
import { Leaving } from "../../components/Leaving";
import { useAsked, useEvery, Waiting } from "../../components/Loaded";
import { Missing, useWasThere } from "../../components/Missing";
import { Remove } from "../../components/Remove";
import { State } from "../../components/State";
import { Troubles } from "../../components/Troubles";
import { Warnings } from "../../components/Warnings";
import { addressOf } from "../../model/address";
import { counted, countText } from "../../model/format";
import { isLeaving } from "../../model/leaving";
import { NOTHING, picture } from "../../state/picture";
import { go } from "../../state/route";
import type { SliceStatus } from "./api";
import { colourOf } from "./drawn";
import { sliceNow, slices } from "./slices";
import { droppedText, gatewaysText, matchText, snssaiText, takesText } from "./text";
import { Walk } from "./Walk";
import { strings } from "./strings";
import { strings as shared } from "../../components/strings";

/** As often as nodes count their ports. */
const LOOK_MILLIS = 2_000;

/** One slice, looked at again and again: the counters of its gateways change all the time, and no news report it. */
export function SliceDetail({ id }: { readonly id: string }) {
  const known = slices.all.value?.get(id);
  const now = useAsked(() => sliceNow(id), [known?.state, known?.since, useEvery(LOOK_MILLIS)]);
  const slice = now.is === "gone" ? undefined : now.is === "here" ? now.value : known;
  const was = useWasThere(slice !== undefined);
  const walked = slice !== undefined && !isLeaving(slice) && slice.ways.length > 0;
  useLayoutEffect(() => {
    if (!walked) {
      picture.value = NOTHING;
    }
  }, [walked]);
  return (
    <>
      <Back app="slices" title={strings.slices} />
      {now.is === "gone" ? (
        <Missing one={strings.slice} id={id} was={was} />
      ) : slice === undefined ? (
        <Waiting what={strings.theSlice} why={now.is === "failed" ? now.why : ""} />
      ) : (
        <Detail slice={slice} />
      )}
    </>
  );
}

function Detail({ slice }: { readonly slice: SliceStatus }) {
  return (
    <>
      <div class="bar">
        <h2>{slice.id}</h2>
        <State state={slice.state} />
        <Remove
          of="slices"
          id={slice.id}
          state={slice.state}
          etag={slice.etag}
          remove={(etag) => slices.remove(slice.id, etag)}
          gone={() => go("slices")}
        />
      </div>
      <p>
        {gatewaysText(slice.slice)} <span class="quiet">{slice.slice.mode}</span>
      </p>
      {slice.errors.map((problem) => (
        <p class="trouble" key={problem.field + problem.message}>
          {problemText(problem)}
        </p>
      ))}
      {isLeaving(slice) ? (
        <Leaving what={strings.slice} troubles={slice.troubles} />
      ) : (
        <>
          <Troubles of={slice.troubles} />
          <Warnings of={slice.warnings} />
          <Facts slice={slice} />
          <p class="further">
            <a class="button" href={addressOf("slices", slice.id, "sessions")}>
              {strings.sessions}
            </a>
          </p>
          <Walk slice={slice.slice} ways={slice.ways} lane={colourOf(slice.id)} />
          <Counters slice={slice} />
        </>
      )}
    </>
  );
}

function Facts({ slice: { slice } }: { readonly slice: SliceStatus }) {
  return (
    <dl class="facts">
      <dt>{strings.sNssai}</dt>
      <dd>{snssaiText(slice)}</dd>
      {slice.dnns !== undefined && (
        <>
          <dt>{strings.dataNetworks}</dt>
          <dd>{slice.dnns.join(", ")}</dd>
        </>
      )}
      <dt>{strings.gnbs}</dt>
      <dd>{slice.access.gnbs.join(", ")}</dd>
      <dt>{strings.upfs}</dt>
      <dd>{slice.core.upfs.join(", ")}</dd>
      <dt>{strings.matches}</dt>
      <dd>
        {takesText(slice)}
        {slice.match?.map((match, i) => (
          <span class="block quiet" key={i}>
            {matchText(match)}
          </span>
        ))}
      </dd>
    </dl>
  );
}

/** The packets that the slice's rules took at each gateway, and those that the gateway dropped, of all slices. */
function Counters({ slice }: { readonly slice: SliceStatus }) {
  const gateways = Object.entries(slice.counters ?? {});
  if (gateways.length === 0) {
    return null;
  }
  return (
    <section aria-label={strings.counters}>
      <h3>{strings.gateways}</h3>
      <ul class="entries">
        {gateways.map(([node, counters]) => (
          <li key={node}>
            <span>
              <b>{node}</b> {counters.read ? strings.received : strings.countersUnavailable}
            </span>
            {counters.read && (
              <span class="counter">
                {shared.counters(counted(counters.packets ?? 0, "packet"), counted(counters.bytes ?? 0, "byte"))}
              </span>
            )}
            {Object.entries(counters.dropped ?? {}).map(([reason, packets]) => (
              <span class="warning" key={reason}>
                {strings.dropped(droppedText(reason), countText(packets))}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
