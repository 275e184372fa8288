// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { useAsked, useEvery } from "../../components/Loaded";
import { clockText } from "../../model/clock";
import { counted } from "../../model/format";
import { controllerNow } from "../../state/clock";
import { live, onNews } from "../../state/network";
import type { Firewall, LogLine, LogNews } from "./api";
import { logNow } from "./firewalls";
import { actionText, droppedText } from "./text";
import { LOG, missedText, packetText, withLines } from "./told";
import { strings } from "./strings";

/** While no news come. */
const LOOK_MILLIS = 2_000;
const NEVER_MILLIS = 3_600_000;

/** Packets that rules with log took last: those that the controller has, and then as they come. */
export function Log({ id, firewall }: { readonly id: string; readonly firewall: Firewall }) {
  const now = useAsked(() => logNow(id), [live.value, useEvery(live.value ? NEVER_MILLIS : LOOK_MILLIS)]);
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const known = now.is === "here" ? now.value : undefined;
  useEffect(() => setLines(known?.lines ?? []), [known]);
  useEffect(
    () =>
      onNews((name, data) => {
        if (name === LOG) {
          setLines((before) => withLines(before, data as LogNews, id));
        }
      }),
    [id],
  );
  const logs = firewall.enforcement === "audit" || firewall.rules.some(({ log }) => log === true);
  if (known === undefined || (!logs && lines.length === 0)) {
    return null;
  }
  return (
    <section aria-label={strings.log}>
      <h3>{strings.log}</h3>
      {!known.heard ? (
        <p class="quiet">{strings.noLogStream}</p>
      ) : lines.length === 0 ? (
        <p class="quiet">{strings.nothingLogged(clockText(known.since, controllerNow()))}</p>
      ) : (
        <>
          <p class="quiet">{strings.lastPackets(counted(lines.length, "packet"))}</p>
          <ol class="log">
            {lines.map((line, i) => (
              <Line key={`${line.at} ${i}`} line={line} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Line({ line }: { readonly line: LogLine }) {
  const missed = missedText(line);
  return (
    <li>
      <span class="quiet">{clockText(line.at, controllerNow())}</span> <b>{line.name}</b>{" "}
      <span class={`action ${line.verdict === "drop" ? "drops" : ""}`}>
        {actionText(line.verdict)}
        {line.dropped !== undefined && strings.reason(droppedText(line.dropped))}
      </span>
      {line.audit === true && <span class="badge warn">{strings.wouldDropAuditMode}</span>}{" "}
      <code>{packetText(line)}</code>
      {missed !== "" && <span class="block quiet">{missed}</span>}
    </li>
  );
}
