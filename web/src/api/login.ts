// SPDX-License-Identifier: Apache-2.0
import { authorized, base } from "./client";

/** The logins that the controller offers. */
export interface Ways {
  /** The issuer at whose page people log in, and where that begins; undefined if there is none. */
  readonly oidc?: { readonly issuer: string; readonly start: string };
  /** This browser has a session. */
  readonly session?: boolean;
  /** Why the login that was tried last failed. */
  readonly failed?: string;
}

const RETRY_MILLIS = 2_000;
const NOT_FOUND = 404;

/** @returns undefined if that was given up; asks again while the controller starts, or is away */
export async function ways(stop: AbortSignal): Promise<Ways | undefined> {
  while (!stop.aborted) {
    try {
      const answer = await fetch(`${base}/login/ways`, { credentials: "same-origin", signal: stop });
      if (answer.ok) {
        return (await answer.json()) as Ways;
      }
      if (answer.status === NOT_FOUND) {
        return {};
      }
    } catch {
      // It is away, or this was given up.
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MILLIS));
  }
  return undefined;
}

export const startOf = (found: Ways): string | undefined =>
  found.oidc === undefined ? undefined : `${base}/${found.oidc.start}`;

/** Ends this browser's session. Returns where to log out of the issuer as well; undefined if it has no such page. */
export async function endSession(): Promise<string | undefined> {
  try {
    const answer = await fetch(`${base}/login/end`, { method: "POST", ...authorized() });
    return answer.ok ? ((await answer.json()) as { readonly issuer?: string }).issuer : undefined;
  } catch {
    return undefined; // it ends by itself
  }
}
