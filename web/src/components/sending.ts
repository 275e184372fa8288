// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { route } from "../state/route";

export interface Sending {
  readonly under: boolean;
  /** Does nothing while another is under way. */
  readonly send: <T>(request: () => Promise<T>, done: (value: T) => void, failed: (error: unknown) => void) => void;
}

/** A change that is sent once at a time. Its result after the person went elsewhere does not move them. */
export function useSending(): Sending {
  const [under, setUnder] = useState(false);
  return {
    under,
    send(request, done, failed) {
      if (under) {
        return;
      }
      setUnder(true);
      const from = route.value;
      const after = (act: () => void): void => {
        setUnder(false);
        if (route.value === from) {
          act();
        }
      };
      request().then(
        (value) => after(() => done(value)),
        (error: unknown) => after(() => failed(error)),
      );
    },
  };
}
