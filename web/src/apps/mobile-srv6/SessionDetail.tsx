// SPDX-License-Identifier: Apache-2.0
import { useRef } from "preact/hooks";
import { problemText } from "../../api/why";
import { Leaving } from "../../components/Leaving";
import { useAsked, useEvery, Waiting } from "../../components/Loaded";
import { Missing, useWasThere } from "../../components/Missing";
import { Remove } from "../../components/Remove";
import { State } from "../../components/State";
import { Troubles } from "../../components/Troubles";
import { Warnings } from "../../components/Warnings";
import { addressOf } from "../../model/address";
import { countText, rateText } from "../../model/format";
import { isLeaving } from "../../model/leaving";
import { go } from "../../state/route";
import { mayWrite } from "../../state/session";
import type { RowCounters } from "./api";
import { useDrawn } from "./drawn";
import { HandOver } from "./HandOver";
import { rateOf, type Rate, type Reading } from "./rates";
import { flowText } from "./walk";
import { removeSession, sessionNow } from "./sessions";
import { SessionRows } from "./SessionRows";
import { tunnelText } from "./text";

const LOOK_MILLIS = 2_000;
const DIRECTIONS = ["uplink", "downlink"] as const;

interface Props {
  readonly slice: string;
  readonly id: string;
}

/** A reading, and the one before, between which rates are. */
interface Readings {
  readonly now: Reading;
  readonly before: Reading | undefined;
}

/** One session, read again and again: the counters of its rows are its traffic. */
export function SessionDetail({ slice, id }: Props) {
  const last = useRef<Reading | undefined>(undefined);
  const ask = async (): Promise<Readings> => {
    const now = { status: await sessionNow(slice, id), millis: performance.now() };
    const before = last.current;
    last.current = now;
    return { now, before };
  };
  const asked = useAsked(ask, [useEvery(LOOK_MILLIS)]);
  const was = useWasThere(asked.is === "here");
  useDrawn(slice);
  return (
    <>
      <a class="back" href={addressOf("slices", slice, "sessions")}>
        ‹ Sessions of {slice}
      </a>
      {asked.is === "gone" ? (
        <Missing one="session" id={id} was={was} />
      ) : asked.is === "here" ? (
        <Detail slice={slice} readings={asked.value} />
      ) : (
        <Waiting what="the session" why={asked.is === "failed" ? asked.why : ""} />
      )}
    </>
  );
}

function Detail({ slice, readings }: { readonly slice: string; readonly readings: Readings }) {
  const { status } = readings.now;
  const { id, session } = status;
  const leaving = isLeaving(status);
  return (
    <>
      <div class="bar">
        <h2>{id}</h2>
        <State state={status.state} />
        <Remove
          of="slices"
          id={id}
          state={status.state}
          etag={status.etag}
          remove={(etag) => removeSession(slice, id, etag)}
          gone={() => go("slices", slice, "sessions")}
        />
      </div>
      {status.errors.map((problem) => (
        <p class="trouble" key={problem.field + problem.message}>
          {problemText(problem)}
        </p>
      ))}
      {leaving ? (
        <Leaving what="session" troubles={status.troubles} />
      ) : (
        <>
          <Troubles of={status.troubles} />
          <Warnings of={status.warnings} />
        </>
      )}
      <dl class="facts">
        <dt>UE</dt>
        <dd>{session.ue?.join(", ") ?? "no address given"}</dd>
        <dt>QoS flow</dt>
        <dd>{flowText({ qfi: session.qfi, rqi: session.rqi })}</dd>
      </dl>
      <ul class="entries traffic" aria-label="Traffic">
        {DIRECTIONS.map((direction) => (
          <li key={direction}>
            <span>
              <b>{direction}</b> to <code>{tunnelText(session[direction])}</code>
            </span>
            <Traffic counters={status.counters?.[direction]} rate={rateOf(readings.before, readings.now, direction)} />
          </li>
        ))}
      </ul>
      {mayWrite("slices") && !leaving && (
        <HandOver slice={slice} id={id} downlink={session.downlink} etag={status.etag} />
      )}
      {!leaving && <SessionRows slice={slice} id={id} version={JSON.stringify([status.state, session])} />}
    </>
  );
}

function Traffic({ counters, rate }: { readonly counters: RowCounters | undefined; readonly rate: Rate | undefined }) {
  if (counters?.read !== true) {
    return <span class="counter">the node did not tell</span>;
  }
  return (
    <span class="counter">
      {countText(counters.packets ?? 0)} packets, {countText(counters.bytes ?? 0)} bytes
      {rate !== undefined && (
        <b class="block">
          {Math.round(rate.packetsPerSecond)} packets/s, {rateText(rate.bitsPerSecond)}
        </b>
      )}
    </span>
  );
}
