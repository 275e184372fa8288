// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { answer, authorize, northbound, onDoubt, type Session } from "../api/client";

/**
 * Who is logged in; undefined for nobody. User and password live in this page's memory alone: nothing that the browser
 * writes to its disk has them, and a reload asks again (the browser's own password manager may answer).
 */
export const session = signal<Session | undefined>(undefined);
/** Why somebody who was logged in is not any more; "" if there is nothing to say. */
export const ended = signal("");

/** News come over one long answer, which no change of users ends; so it is looked at now and then. */
const CHECK_MILLIS = 30_000;
const UNAUTHORIZED = 401;

/** @throws Refused if there is no such user with this password; Unreachable if nobody answers */
export async function logIn(user: string, password: string): Promise<void> {
  authorize(user, password);
  try {
    session.value = await answer(northbound.GET("/session"));
    ended.value = "";
  } catch (error) {
    authorize("", "");
    throw error;
  }
}

export function logOut(why = ""): void {
  authorize("", "");
  ended.value = why;
  session.value = undefined;
}

/** Follows what the user may, until aborted: passwords and roles change while a page is open. */
export function follow(stop: AbortSignal): void {
  const timer = setInterval(() => void check(), CHECK_MILLIS);
  stop.addEventListener("abort", () => clearInterval(timer));
}

async function check(): Promise<void> {
  try {
    const now = await answer(northbound.GET("/session"));
    const before = session.value;
    if (before !== undefined && (before.user !== now.user || before.mayWrite !== now.mayWrite)) {
      session.value = now;
    }
  } catch {
    return; // 401 was heard by onDoubt; all else says nothing about the user
  }
}

onDoubt((status) => {
  if (session.value === undefined) {
    return; // a login that fails says so itself
  }
  if (status === UNAUTHORIZED) {
    logOut("The controller does not take this login any more: the password was changed, or the user is gone.");
  } else {
    void check();
  }
});

export const mayWrite = (): boolean => session.value?.mayWrite ?? false;
