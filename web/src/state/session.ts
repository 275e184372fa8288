// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { answer, authorize, northbound, Refused, type Session } from "../api/client";

/** Who is logged in; undefined for nobody, "unknown" until what an earlier page of this tab kept was tried. */
export const session = signal<Session | undefined | "unknown">("unknown");

/** Kept for this tab alone, so that a reload does not ask again; closing the tab forgets. */
const KEPT = "sextant.login";
const UNAUTHORIZED = 401;

/** @throws Refused if there is no such user with this password; TypeError if the controller cannot be reached */
export async function logIn(user: string, password: string): Promise<void> {
  authorize(user, password);
  try {
    session.value = await answer(northbound.GET("/session"));
    sessionStorage.setItem(KEPT, JSON.stringify([user, password]));
  } catch (error) {
    authorize("", "");
    throw error;
  }
}

export function logOut(): void {
  authorize("", "");
  sessionStorage.removeItem(KEPT);
  session.value = undefined;
}

/** Takes up the login of this tab. A controller that is away is no reason to forget it. */
export async function resume(): Promise<void> {
  const kept = sessionStorage.getItem(KEPT);
  if (kept === null) {
    session.value = undefined;
    return;
  }
  const [user, password] = JSON.parse(kept) as [string, string];
  try {
    await logIn(user, password);
  } catch (error) {
    if (error instanceof Refused && error.status === UNAUTHORIZED) {
      sessionStorage.removeItem(KEPT);
    }
    session.value = undefined;
  }
}

export const mayWrite = (): boolean => typeof session.value === "object" && session.value.mayWrite;
