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
import { counted, rateText } from "../../model/format";
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
import { strings } from "./strings";
import { strings as shared } from "../../components/strings";

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
        {shared.back(strings.sessionsOf(slice))}
      </a>
      {asked.is === "gone" ? (
        <Missing one={strings.session} id={id} was={was} />
      ) : asked.is === "here" ? (
        <Detail slice={slice} readings={asked.value} />
      ) : (
        <Waiting what={strings.theSession} why={asked.is === "failed" ? asked.why : ""} />
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
        <Leaving what={strings.session} troubles={status.troubles} />
      ) : (
        <>
          <Troubles of={status.troubles} />
          <Warnings of={status.warnings} />
        </>
      )}
      <dl class="facts">
        <dt>{strings.ue}</dt>
        <dd>{session.ue?.join(", ") ?? strings.noAddress}</dd>
        <dt>{strings.qoSFlow}</dt>
        <dd>{flowText({ qfi: session.qfi, rqi: session.rqi })}</dd>
      </dl>
      <ul class="entries traffic" aria-label={strings.traffic}>
        {DIRECTIONS.map((direction) => (
          <li key={direction}>
            <span>{strings.directionTo(direction, tunnelText(session[direction]))}</span>
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
    return <span class="counter">{strings.countersUnavailable}</span>;
  }
  return (
    <span class="counter">
      {shared.counters(counted(counters.packets ?? 0, "packet"), counted(counters.bytes ?? 0, "byte"))}
      {rate !== undefined && (
        <b class="block">{strings.rate(Math.round(rate.packetsPerSecond), rateText(rate.bitsPerSecond))}</b>
      )}
    </span>
  );
}
