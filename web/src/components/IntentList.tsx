// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { addressOf } from "../model/address";
import type { Measured } from "../model/history";
import type { Collection } from "../state/collection";
import { mayWrite } from "../state/session";
import { useHistory } from "./history";
import { Waiting } from "./Loaded";
import { strings } from "./strings";

const PAGE = 200;
/** From here on one looks for something by its name. */
const FEW = 8;

interface Listed {
  readonly id: string;
  readonly state: string;
}

interface Props<T extends Listed> {
  readonly intents: Collection<T>;
  /** Where they are: the tab, and the controller's address for them. */
  readonly at: string;
  readonly title: string;
  /** One of them and several, in small letters. */
  readonly one: string;
  readonly many: string;
  /** The last word of the address where one is made, and the text of the link to it. */
  readonly add: readonly [address: string, text: string];
  /** The text that is searched, and the label of that search. */
  readonly text: (one: T) => string;
  readonly by: string;
  /** Their purpose, where there is none yet. */
  readonly about: string;
  /** The history's name of their kind, if it measures them. */
  readonly measured?: string;
  /** The smallest comes first. */
  readonly rank?: (one: T) => number;
  /** An item of the list, with its id as key. */
  readonly card: (one: T, hour: Measured | undefined) => VNode;
  readonly children?: ComponentChildren;
}

/** The intents of an app; those that need attention come first. */
export function IntentList<T extends Listed>(props: Props<T>) {
  const { intents, at, many, text, measured, rank = attention } = props;
  const [filter, setFilter] = useState("");
  const all = intents.all.value;
  const found = [...(all?.values() ?? [])]
    .filter((one) => text(one).toLowerCase().includes(filter.toLowerCase()))
    .sort((one, other) => rank(one) - rank(other) || one.id.localeCompare(other.id, undefined, { numeric: true }));
  const shown = found.slice(0, PAGE);
  const history = useHistory(measured === undefined ? [] : shown.map(({ id }) => `${measured}:${id}`));
  if (all === undefined) {
    return <Waiting what={many} why={intents.trouble.value} />;
  }
  return (
    <>
      <div class="bar">
        <h2>
          {props.title} <span class="count">{all.size}</span>
        </h2>
        {mayWrite(at) && (
          <a class="button primary" href={addressOf(at, "+", props.add[0])}>
            {props.add[1]}
          </a>
        )}
      </div>
      {all.size > FEW && (
        <input
          type="search"
          aria-label={strings.filter(many)}
          placeholder={strings.filterBy(props.by)}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      {all.size === 0 && (
        <div class="nothing">
          <p>{strings.none(many)}</p>
          <p class="quiet">{props.about}</p>
        </div>
      )}
      <ul class="cards" aria-label={many.charAt(0).toUpperCase() + many.slice(1)}>
        {shown.map((one) => props.card(one, history.get(`${measured}:${one.id}`)))}
      </ul>
      {props.children}
      {found.length > PAGE && <p class="quiet">{strings.moreByFilter(found.length - PAGE)}</p>}
    </>
  );
}

/** States that this page has no word for come first. */
const ATTENTION = ["FAILED", "DEGRADED", "REMOVING", "PENDING", "INSTALLED"];

function attention({ state }: Listed): number {
  return ATTENTION.indexOf(state);
}
