// SPDX-License-Identifier: Apache-2.0
import type { SessionStatus } from "./api";

/** A slice may have a hundred thousand: they are asked for by pages, and never all. */
export const PAGE = 50;

export interface Page {
  readonly sessions: readonly SessionStatus[];
  /** Behind which id the next page begins; undefined: there is none. */
  readonly next: string | undefined;
}

/** One more than a page holds was asked for: if it is there, so is a next page. */
export function cutPage(found: readonly SessionStatus[]): Page {
  const sessions = found.slice(0, PAGE);
  return { sessions, next: found.length > PAGE ? sessions.at(-1)?.id : undefined };
}
