// SPDX-License-Identifier: Apache-2.0
import { isLeaving } from "./leaving";

/** An intent as far as others may change it. */
export interface Contested {
  readonly state: string;
  /** Another one when the content of the intent was changed. */
  readonly etag?: string | undefined;
}

/** The intent of a name when a user typed it. */
export interface Seen<Status> {
  readonly name: string | undefined;
  /** True if that is known: the list was here. */
  readonly known: boolean;
  readonly status: Status | undefined;
}

export const NOTHING_SEEN: Seen<never> = { name: undefined, known: false, status: undefined };

type List<Status> = ReadonlyMap<string, Status> | undefined;

/** One that was deleted is in no one's way. */
function presentIn<Status extends Contested>(list: List<Status>, name: string): Status | undefined {
  const status = list?.get(name);
  return status === undefined || isLeaving(status) ? undefined : status;
}

/** The present intent of a name. */
export function look<Status extends Contested>(name: string | undefined, list: List<Status>): Seen<Status> {
  return name === undefined || list === undefined
    ? { name, known: false, status: undefined }
    : { name, known: true, status: presentIn(list, name) };
}

/** News change the present intent, and not the one that was seen; another name is looked at anew. */
export function keep<Status extends Contested>(
  seen: Seen<Status>,
  name: string | undefined,
  list: List<Status>,
): Seen<Status> {
  return seen.name === name && seen.known ? seen : look(name, list);
}

/** Changes by another user since then. */
export interface Rival<Status> {
  readonly name: string;
  readonly did: "made" | "changed" | "deleted";
  /** The present state; undefined if it was deleted. */
  readonly theirs: Status | undefined;
}

export function rivalOf<Status extends Contested>(seen: Seen<Status>, list: List<Status>): Rival<Status> | undefined {
  if (!seen.known || seen.name === undefined || list === undefined) {
    return undefined;
  }
  const theirs = presentIn(list, seen.name);
  if (theirs === undefined) {
    return seen.status === undefined ? undefined : { name: seen.name, did: "deleted", theirs };
  }
  if (seen.status === undefined) {
    return { name: seen.name, did: "made", theirs };
  }
  return theirs.etag === seen.status.etag ? undefined : { name: seen.name, did: "changed", theirs };
}
