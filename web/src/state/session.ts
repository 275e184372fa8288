// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { answer, authorize, bySession, northbound, onDoubt, type Session } from "../api/client";
import { endSession } from "../api/login";
import { strings } from "./strings";

/**
 * The user who is logged in; undefined without a login. User and password live in this page's memory alone: nothing
 * that the browser writes to its disk has them, and a reload asks again (the browser's own password manager may
 * answer). A user that logged in at an issuer's page has a session, which outlives a reload.
 */
export const session = signal<Session | undefined>(undefined);
/** Why a user was logged out; "" if there is nothing to say. */
export const ended = signal("");

/** News come over one long answer, which no change of users ends; so it is looked at now and then. */
const CHECK_MILLIS = 30_000;
const UNAUTHORIZED = 401;

/** A page without a user, or that was left open for days, is no login any more. */
const IDLE_MILLIS = 30 * 60_000;
const LONGEST_MILLIS = 12 * 3_600_000;
let began = 0;
let used = 0;

/** The user is here. */
export function touch(): void {
  used = Date.now();
}

/** @throws Refused if there is no such user with this password; Unreachable if there is no answer */
export async function logIn(user: string, password: string): Promise<void> {
  authorize(user, password);
  await begin();
}

/** Goes on with the session that this browser has since its user logged in at the issuer's page. @throws as {@link logIn} */
export async function resume(): Promise<void> {
  bySession();
  await begin();
}

async function begin(): Promise<void> {
  try {
    session.value = await answer(northbound.GET("/session"));
    began = used = Date.now();
    ended.value = "";
  } catch (error) {
    authorize("", "");
    throw error;
  }
}

/**
 * No user logged out on this page, whose session may be ending just now: only then it goes on with one that the browser
 * has.
 */
export const mayResume = (): boolean => !left;
let left = false;

export function logOut(why = ""): void {
  left = true;
  const over = session.value?.how === "oidc" ? endSession() : Promise.resolve(undefined);
  authorize("", "");
  ended.value = why;
  session.value = undefined;
  if (why === "") {
    // The user is logged out of the issuer on request, too, if it has a page for that.
    void over.then((page) => {
      if (page !== undefined) {
        location.assign(page);
      }
    });
  }
}

/** Follows the permissions of the user, until aborted: passwords and roles change while a page is open. */
export function follow(stop: AbortSignal): void {
  const timer = setInterval(() => void check(), CHECK_MILLIS);
  stop.addEventListener("abort", () => clearInterval(timer));
}

async function check(): Promise<void> {
  const time = Date.now();
  if (time - used > IDLE_MILLIS) {
    logOut(strings.idle);
    return;
  }
  if (time - began > LONGEST_MILLIS) {
    logOut(strings.sessionEnded);
    return;
  }
  try {
    const now: Session = await answer(northbound.GET("/session"));
    const before = session.value;
    if (before !== undefined && (before.user !== now.user || before.mayChange?.join() !== now.mayChange?.join())) {
      session.value = now;
    }
  } catch {
    return; // onDoubt received a 401; all else says nothing about the user
  }
}

onDoubt((status) => {
  if (session.value === undefined) {
    return; // a login that fails says so itself
  }
  if (status === UNAUTHORIZED) {
    logOut(strings.loginRevoked);
  } else {
    void check();
  }
});

/**
 * True if the user may change something of this kind, by the first word of its address; without one: anything at all.
 */
export const mayWrite = (what?: string): boolean =>
  (what === undefined ? undefined : session.value?.mayChange?.includes(what)) ?? session.value?.mayWrite ?? false;
