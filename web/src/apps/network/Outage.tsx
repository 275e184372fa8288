// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { answer, northbound, type Outage as Told } from "../../api/client";
import { useAsked, Waiting } from "../../components/Loaded";
import { addressOf } from "../../model/address";
import { picture } from "../../state/picture";
import { lookOf, moveText, repairLines, summaryOf, wordOf } from "./outage";

/** What would become of packets if a link or node were lost: nothing is changed. */
export function Outage({ failed }: { readonly failed: string }) {
  const [simulated, simulate] = useState(false);
  return (
    <section aria-label="Outage">
      <button type="button" aria-pressed={simulated} onClick={() => simulate(!simulated)}>
        {simulated ? "End the simulation" : "Simulate its loss"}
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
    <p>There is no “{failed}” any more.</p>
  ) : (
    <Waiting what="what would happen" why="" />
  );
}

function Moves({ outage }: { readonly outage: Told }) {
  const [chosen, choose] = useState<number | undefined>(undefined);
  useEffect(() => {
    const shown = outage.moves.filter((_, i) => chosen === undefined || i === chosen);
    picture.value = { ...picture.value, paths: repairLines(shown) };
  }, [outage, chosen]);
  useEffect(
    () => () => {
      picture.value = { ...picture.value, paths: [] };
    },
    [],
  );
  return (
    <>
      <ul aria-label="In numbers">
        {summaryOf(outage).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <ul class="moves" aria-label="What nodes send elsewhere">
        {outage.moves.map((move, i) => (
          <li key={`${move.node} ${move.destination}`}>
            <button type="button" aria-pressed={i === chosen} onClick={() => choose(i === chosen ? undefined : i)}>
              {move.node} → {move.destination}
            </button>
            <span class={`state ${lookOf(move.becomes)}`}>{wordOf(move.becomes)}</span>
            <span class="quiet">{moveText(move)}</span>
          </li>
        ))}
      </ul>
      {outage.lists.length > 0 && (
        <ul class="moves" aria-label="Segment lists that lead there">
          {outage.lists.map((list) => (
            <li key={`${list.node} ${list.sidList} ${list.at ?? ""}`}>
              {list.intents.join(", ")} at <a href={addressOf("nodes", "node", list.node)}>{list.node}</a>
              <span class={`state ${lookOf(list.becomes)}`}>{wordOf(list.becomes)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
