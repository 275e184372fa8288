// SPDX-License-Identifier: Apache-2.0
import { useContext, useEffect, useState } from "preact/hooks";
import { answer, northbound, type LogEvent } from "../../api/client";
import { useAsked, useEvery, Waiting } from "../../components/Loaded";
import { controllerNow } from "../../state/clock";
import { onNews } from "../../state/network";
import { bringIntoView, NOTHING, picture } from "../../state/picture";
import { Apps } from "../app";
import { KINDS, matches, pageOf, SEVERITIES, thingOf, whenText } from "./lines";
import { strings } from "./strings";

const PAGE = 100;
const MOST = 1_000;
/** "Ago" grows older by itself. */
const TICK_MILLIS = 10_000;

type Kind = "" | (typeof KINDS)[number];
type Severity = (typeof SEVERITIES)[number];

/** The events since the controller started, newest first; the list grows by itself. */
export function EventsPanel() {
  const [kind, setKind] = useState<Kind>("");
  const [severity, setSeverity] = useState<Severity>("info");
  const [words, setWords] = useState("");
  const [limit, setLimit] = useState(PAGE);
  const query = { limit: String(limit), severity, ...(kind === "" ? {} : { kind }) };
  const asked = useAsked(
    () => answer(northbound.GET("/log", { params: { query } })),
    [kind, severity, limit, useLogNumber()],
  );
  useEffect(() => {
    picture.value = NOTHING;
    return () => {
      picture.value = NOTHING;
    };
  }, []);
  return (
    <section>
      <h2>{strings.events}</h2>
      <div class="filters">
        <Choice
          label={strings.kind}
          all={strings.anyKind}
          words={KINDS}
          value={kind}
          set={(to) => setKind(to as Kind)}
        />
        <select
          aria-label={strings.severity}
          value={severity}
          onChange={(event) => setSeverity(event.currentTarget.value as Severity)}
        >
          <option value="info">{strings.anySeverity}</option>
          <option value="warning">{strings.warningsAndErrors}</option>
          <option value="error">{strings.errors}</option>
        </select>
        <input
          type="search"
          aria-label={strings.filterByText}
          placeholder={strings.filterByText}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </div>
      {asked.is === "here" ? (
        <Lines events={asked.value.filter((event) => matches(event, words))} />
      ) : (
        <Waiting what={strings.theEvents} why={asked.is === "failed" ? asked.why : ""} />
      )}
      {asked.is === "here" && asked.value.length === limit && limit < MOST && (
        <button type="button" onClick={() => setLimit(Math.min(MOST, limit + 3 * PAGE))}>
          {strings.more}
        </button>
      )}
    </section>
  );
}

/** The number of the newest event that the controller reported. */
function useLogNumber(): number {
  const [number, setNumber] = useState(0);
  useEffect(
    () =>
      onNews((name, data) => {
        if (name === "log") {
          setNumber((data as { readonly number: number }).number);
        }
      }),
    [],
  );
  return number;
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly words: readonly string[];
  readonly value: string;
  readonly set: (to: string) => void;
}

function Choice({ label, all, words, value, set }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => set(event.currentTarget.value)}>
      <option value="">{all}</option>
      {words.map((one) => (
        <option value={one} key={one}>
          {strings.kinds[one] ?? one}
        </option>
      ))}
    </select>
  );
}

const LOOKS = {
  info: { look: "wait", sign: "i" },
  warning: { look: "warn", sign: "!" },
  error: { look: "bad", sign: "✕" },
} as const;

function Lines({ events }: { readonly events: readonly LogEvent[] }) {
  useEvery(TICK_MILLIS);
  if (events.length === 0) {
    return <p class="quiet">{strings.noEvents}</p>;
  }
  return (
    <ul class="cards" aria-label={strings.events}>
      {events.map((event) => (
        <li key={event.number}>
          <Line event={event} />
        </li>
      ))}
    </ul>
  );
}

/** A line leads to its subject; pointing at it marks that on the map. */
function Line({ event }: { readonly event: LogEvent }) {
  const page = pageOf(event.subject, useContext(Apps));
  const thing = thingOf(event.subject);
  const mark = (): void => {
    picture.value = thing === undefined ? NOTHING : { ...NOTHING, selected: thing.name };
  };
  const show = (): void => {
    if (thing !== undefined) {
      bringIntoView(thing.name);
    }
  };
  const look = `card ${event.severity === "error" ? "attention" : ""}`;
  return page === undefined ? (
    <div class={look}>
      <Said event={event} />
    </div>
  ) : (
    <a class={look} href={page} onMouseEnter={mark} onFocus={mark} onClick={show}>
      <Said event={event} />
    </a>
  );
}

function Said({ event }: { readonly event: LogEvent }) {
  const { look, sign } = LOOKS[event.severity];
  return (
    <>
      <span class="title">{event.text}</span>
      <span class={`state ${look}`}>
        <span aria-hidden="true">{sign}</span> {event.severity}
      </span>
      <span class="line quiet">
        {strings.kinds[event.kind] ?? event.kind} ·{" "}
        <time dateTime={event.time}>{whenText(event, controllerNow())}</time>
      </span>
    </>
  );
}
