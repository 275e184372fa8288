// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { answer, northbound, type TrailLine } from "../../api/client";
import { useAsked, useEvery, Waiting } from "../../components/Loaded";
import { momentText } from "../../model/clock";
import { changed, isBad, said } from "./lines";
import { strings } from "./strings";

const OUTCOMES = ["done", "partly", "refused", "denied", "failed", "unknown"] as const;
const LOOK_MILLIS = 5_000;
const PAGE = 100;

/** The audit log, newest first. */
export function AuditPanel() {
  const [user, setUser] = useState("");
  const [resource, setResource] = useState("");
  const [outcome, setOutcome] = useState("");
  const [limit, setLimit] = useState(PAGE);
  const query = {
    limit: String(limit),
    ...(user === "" ? {} : { user }),
    ...(resource === "" ? {} : { resource }),
    ...(outcome === "" ? {} : { outcome }),
  };
  const asked = useAsked(
    () => answer(northbound.GET("/audit", { params: { query } })),
    [user, resource, outcome, limit, useEvery(LOOK_MILLIS)],
  );
  return (
    <section>
      <h2>{strings.title}</h2>
      <div class="filters">
        <Filter label={strings.user} value={user} set={setUser} />
        <Filter label={strings.resource} value={resource} set={setResource} />
        <select
          aria-label={strings.outcome}
          value={outcome}
          onChange={(event) => setOutcome(event.currentTarget.value)}
        >
          <option value="">{strings.anyOutcome}</option>
          {OUTCOMES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </div>
      {asked.is === "here" ? (
        <Lines lines={asked.value} />
      ) : (
        <Waiting what={strings.theAuditLog} why={asked.is === "failed" ? asked.why : ""} />
      )}
      {asked.is === "here" && asked.value.length === limit && limit < 1000 && (
        <button type="button" onClick={() => setLimit(Math.min(1000, limit + 3 * PAGE))}>
          {strings.more}
        </button>
      )}
    </section>
  );
}

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly set: (to: string) => void;
}

function Filter({ label, value, set }: FilterProps) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={(event) => set(event.currentTarget.value.trim())}
    />
  );
}

function Lines({ lines }: { readonly lines: readonly TrailLine[] }) {
  if (lines.length === 0) {
    return <p class="quiet">{strings.noRecords}</p>;
  }
  return (
    <ul class="cards" aria-label={strings.records}>
      {lines.map((line) => (
        <li key={line.seq}>
          <div class={`card ${isBad(line) ? "attention" : ""}`}>
            <span class="title">{said(line)}</span>
            <span class={`state ${isBad(line) ? "bad" : ""}`}>{line.outcome ?? line.event}</span>
            <span class="line quiet">
              {line.user ?? ""} {line.from === undefined || line.from === "" ? "" : strings.from(line.from)}{" "}
              {line.by ?? ""} · <time dateTime={line.time}>{momentText(line.time)}</time>
            </span>
            {changed(line) !== "" && <span class="line">{changed(line)}</span>}
          </div>
        </li>
      ))}
    </ul>
  );
}
