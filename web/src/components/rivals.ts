// SPDX-License-Identifier: Apache-2.0
import { useRef, useState } from "preact/hooks";
import { isOvertaken } from "../api/client";
import { keep, look, NOTHING_SEEN, rivalOf, type Contested, type Rival, type Seen } from "../model/rival";
import { IF_NEW, ifStill, type Only } from "../state/only";

export interface Rivals<Status> {
  readonly name: string | undefined;
  /** The intent of that name when it was typed, which the form replaces. */
  readonly seen: Status | undefined;
  readonly rival: Rival<Status> | undefined;
  /** The condition for the form to be sent: that the intent is as the person saw it. */
  readonly only: () => Only;
  /** The person has seen the other user's version. */
  readonly accept: () => void;
  /** Does it; where another user was quicker, their version is looked at before this fails. */
  readonly judged: <T>(change: () => Promise<T>) => Promise<T>;
}

/**
 * Keeps the intent of a form's name from when it was typed. News change the present one, and not that: a reader of
 * "this replaces it" means the one from then, and is notified of anything that comes after.
 */
export function useRivals<Status extends Contested>(
  name: string | undefined,
  all: ReadonlyMap<string, Status> | undefined,
  lookAt: ((id: string) => Promise<void>) | undefined,
): Rivals<Status> {
  const kept = useRef<Seen<Status>>(NOTHING_SEEN);
  const [, again] = useState(0);
  kept.current = keep(kept.current, name, all);
  return {
    name,
    seen: kept.current.status,
    rival: rivalOf(kept.current, all),
    only: () => {
      const { known, status } = kept.current;
      return !known ? {} : status === undefined ? IF_NEW : ifStill(status.etag);
    },
    accept: () => {
      kept.current = look(name, all);
      again((count) => count + 1);
    },
    judged: async (change) => {
      try {
        return await change();
      } catch (error) {
        if (isOvertaken(error) && name !== undefined) {
          await lookAt?.(name);
        }
        throw error;
      }
    },
  };
}
