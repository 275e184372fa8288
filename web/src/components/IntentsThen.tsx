// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import type { Moment } from "../api/client";
import { addressOf } from "../model/address";
import { clockText } from "../model/clock";
import { intentsThen } from "../model/then";
import { controllerNow } from "../state/clock";
import { NOTHING, picture } from "../state/picture";
import { AsOf } from "./AsOf";
import { Back } from "./Back";
import { State } from "./State";
import { strings } from "./strings";

interface Props {
  readonly app: { readonly id: string; readonly title: string };
  /** The controller's name of the app's intents. */
  readonly kind: string;
  /** Whose page is open; undefined for all. */
  readonly id: string | undefined;
  readonly moment: Moment;
}

const MANY = 12;
const PAGE = 200;

/** The intents of an app as they were: there or not, and in which state. */
export function IntentsThen({ app, kind, id, moment }: Props) {
  const all = intentsThen(moment, kind);
  useEffect(() => {
    picture.value = NOTHING; // marks of another page on the map
  }, []);
  return (
    <>
      {id !== undefined && <Back app={app.id} title={app.title} />}
      <AsOf moment={moment} without={strings.historyOfIntents} />
      {all === undefined ? (
        <>
          <h2>{id ?? app.title}</h2>
          <p>{strings.historyFrom(clockText(moment.intentsFrom, controllerNow()))}</p>
        </>
      ) : id === undefined ? (
        <List app={app} all={all} />
      ) : (
        <One id={id} state={all.find(({ name }) => name === id)?.state} />
      )}
    </>
  );
}

function One({ id, state }: { readonly id: string; readonly state: string | undefined }) {
  return (
    <>
      <div class="bar">
        <h2>{id}</h2>
        {state !== undefined && <State state={state} />}
      </div>
      {state === undefined && <p>{strings.notThereThen}</p>}
    </>
  );
}

function List({
  app,
  all,
}: Pick<Props, "app"> & { readonly all: readonly { readonly name: string; readonly state: string }[] }) {
  const [filter, setFilter] = useState("");
  const found = all.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  return (
    <>
      <h2>
        {app.title} <span class="count">{all.length}</span>
      </h2>
      {all.length === 0 && <p>{strings.noneThen}</p>}
      {all.length > MANY && (
        <input
          type="search"
          aria-label={strings.filterByName}
          placeholder={strings.filterByName}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <ul class="cards" aria-label={strings.atThatTime(app.title)}>
        {found.slice(0, PAGE).map(({ name, state }) => (
          <li key={name}>
            <a class="card" href={addressOf(app.id, ...name.split("/"))}>
              <span class="title">{name}</span>
              <State state={state} />
            </a>
          </li>
        ))}
      </ul>
      {found.length > PAGE && <p class="quiet">{strings.moreByFilter(found.length - PAGE)}</p>}
    </>
  );
}
