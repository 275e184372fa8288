// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal } from "@preact/signals";
import { answer, holdChanges, northbound, type Moment } from "../api/client";
import { whyOf } from "../api/why";
import { ratesAt, viewAt } from "../model/history";
import { network, traffic } from "./network";
import { session } from "./session";
import { strings } from "./strings";

/** A moment of the past that the map shows; undefined while it shows the present. */
export const past = signal<Moment | undefined>(undefined);
/** Why a moment cannot be shown; "" otherwise. */
export const pastTrouble = signal("");
/** How many seconds back the controller knows. */
export const reach = signal(0);

/** Why nothing can be changed meanwhile. */
export const HELD = strings.pastIsReadOnly;
holdChanges(() => (past.value === undefined ? "" : HELD));

/** The network that the map shows. */
export const shownNetwork = computed(() =>
  past.value === undefined ? network.value : viewAt(network.value, past.value),
);
export const shownTraffic = computed(() => (past.value === undefined ? traffic.value : ratesAt(past.value)));

/** Answers may overtake each other: the last question counts. */
let question = 0;

/** Asks how far back the controller knows. */
export async function learnReach(): Promise<void> {
  const own = ++question;
  try {
    const now = await ask(0);
    if (own === question) {
      reach.value = reachOf(now);
      pastTrouble.value = "";
    }
  } catch (error) {
    fail(own, error);
  }
}

/** Shows how it was so many seconds ago, by the controller's clock; 0 is now, and moves on. */
export async function showPast(secondsAgo: number): Promise<void> {
  if (secondsAgo <= 0) {
    showNow();
    return;
  }
  const own = ++question;
  try {
    const moment = await ask(secondsAgo);
    if (own === question) {
      past.value = moment;
      reach.value = reachOf(moment);
      pastTrouble.value = "";
    }
  } catch (error) {
    fail(own, error);
  }
}

export function showNow(): void {
  question++;
  past.value = undefined;
  pastTrouble.value = "";
}

function fail(own: number, error: unknown): void {
  if (own === question) {
    pastTrouble.value = whyOf(error);
  }
}

function ask(secondsAgo: number): Promise<Moment> {
  return answer(northbound.GET("/history/state", { params: { query: { at: String(secondsAgo) } } }));
}

/** Both times are the controller's: this browser's clock does not matter. */
function reachOf({ now, from }: Moment): number {
  return Math.max(0, Math.floor((Date.parse(now) - Date.parse(from)) / 1000));
}

effect(() => {
  if (session.value === undefined) {
    showNow();
    reach.value = 0;
  }
});
