// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { answer, northbound, type Outage as Told } from "../../api/client";
import { useAsked, Waiting } from "../../components/Loaded";
import { addressOf } from "../../model/address";
import { useEscape } from "../../state/escape";
import { picture, type PathLine } from "../../state/picture";
import {
  asideText,
  changeLines,
  changeText,
  fateOf,
  intentsOf,
  lookOf,
  lostOf,
  repairLines,
  summaryOf,
  wordOf,
} from "./outage";
import { strings } from "./strings";

/** The fate of packets if a link or node were lost: nothing is changed. */
export function Outage({ failed }: { readonly failed: string }) {
  const [simulated, simulate] = useState(false);
  useEscape(simulated, () => simulate(false));
  return (
    <section aria-label={strings.outage}>
      <button type="button" aria-pressed={simulated} onClick={() => simulate(!simulated)}>
        {simulated ? strings.endSimulation : strings.simulateFailure}
      </button>
      {simulated && <Simulated failed={failed} />}
    </section>
  );
}

function Simulated({ failed }: { readonly failed: string }) {
  const asked = useAsked(() => answer(northbound.GET("/protection", { params: { query: { failed } } })), []);
  const outage = asked.is === "here" ? asked.value.outage : undefined;
  if (outage !== undefined) {
    return <Moves outage={outage} />;
  }
  return asked.is === "failed" ? (
    <p class="trouble">{asked.why}</p>
  ) : asked.is === "gone" ? (
    <p>{strings.gone(failed)}</p>
  ) : (
    <Waiting what={strings.theSimulation} why="" />
  );
}

/** One of the lines that may be chosen, which is then drawn alone. */
interface Chosen {
  readonly list: "moves" | "changes";
  readonly at: number;
}

function linesOf({ moves, intents }: Told, chosen: Chosen | undefined): readonly PathLine[] {
  const change = chosen?.list === "changes" ? intents.changes[chosen.at] : undefined;
  return change === undefined
    ? repairLines(moves.filter((_, i) => chosen === undefined || i === chosen.at))
    : changeLines(change);
}

function Moves({ outage }: { readonly outage: Told }) {
  const [chosen, choose] = useState<Chosen | undefined>(undefined);
  useEffect(() => {
    picture.value = { ...picture.value, paths: linesOf(outage, chosen), lost: lostOf(outage) };
  }, [outage, chosen]);
  useEffect(
    () => () => {
      picture.value = { ...picture.value, paths: [], lost: [] };
    },
    [],
  );
  const pressed = (list: Chosen["list"], at: number) => chosen?.list === list && chosen.at === at;
  const press = (list: Chosen["list"], at: number) => choose(pressed(list, at) ? undefined : { list, at });
  return (
    <>
      <h4>{strings.immediatelyTiLfa}</h4>
      <ul aria-label={strings.summary}>
        {summaryOf(outage).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <ul class="moves" aria-label={strings.reroutedDestinations}>
        {outage.moves.map((move, i) => (
          <li key={`${move.node} ${move.destination}`}>
            <button type="button" aria-pressed={pressed("moves", i)} onClick={() => press("moves", i)}>
              {move.node} → {move.destination}
            </button>
            <span class={`state ${lookOf(move.becomes)}`}>{wordOf(move.becomes)}</span>
            <span class="quiet">{asideText(move)}</span>
          </li>
        ))}
      </ul>
      {outage.lists.length > 0 && (
        <ul class="moves" aria-label={strings.affectedSegmentLists}>
          {outage.lists.map((list) => (
            <li key={`${list.node} ${list.sidList} ${list.at ?? ""}`}>
              {strings.intentsAt(list.intents.join(", "))}
              <a href={addressOf("nodes", "node", list.node)}>{list.node}</a>
              <span class={`state ${lookOf(list.becomes)}`}>{wordOf(list.becomes)}</span>
            </li>
          ))}
        </ul>
      )}
      <h4>{strings.afterRecompilation}</h4>
      <ul aria-label={strings.summaryOfIntents}>
        {intentsOf(outage).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <ul class="moves" aria-label={strings.affectedIntents}>
        {outage.intents.changes.map((change, i) => (
          <li key={change.intent}>
            <button type="button" aria-pressed={pressed("changes", i)} onClick={() => press("changes", i)}>
              {change.intent}
            </button>
            <span class={`state ${change.becomes === "moved" || change.becomes === "mended" ? "good" : "bad"}`}>
              {fateOf(change)}
            </span>
            <span class="quiet">{changeText(change)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
