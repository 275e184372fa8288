// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { drafts, keepDraft } from "../state/drafts";
import { route } from "../state/route";

type Change<Draft> = (to: Draft | ((before: Draft) => Draft)) => void;

/**
 * A draft that is as it was left when one comes back to its form, whose address identifies it; "forget" when there is
 * nothing left to make of it.
 */
export function useLeftDraft<Draft extends object>(empty: Draft): [Draft, Change<Draft>, () => void] {
  const [address] = useState(() => JSON.stringify(route.peek()));
  const [draft, setDraft] = useState<Draft>(() => ({ ...empty, ...drafts.peek().get(address) }));
  const change: Change<Draft> = (to) =>
    setDraft((before) => {
      const now = typeof to === "function" ? to(before) : to;
      keepDraft(address, now === empty ? undefined : now);
      return now;
    });
  return [draft, change, () => keepDraft(address, undefined)];
}
