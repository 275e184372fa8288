// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { whyOf } from "../api/why";
import { labelOf } from "../model/format";
import { isLeaving } from "../model/leaving";
import { past } from "../state/past";
import { mayWrite } from "../state/session";
import { useSending } from "./sending";

interface Props {
  /** What it is one of, as the controller says who may change it. */
  readonly of?: string;
  readonly id: string;
  readonly state: string;
  /** @throws Refused if it stays */
  readonly remove: () => Promise<void>;
  readonly gone: () => void;
}

/** Asks once more, in place: the focus goes to the answer, and Escape takes it back. */
export function Remove({ of, id, state, remove, gone }: Props) {
  const [asked, setAsked] = useState<boolean>();
  const [why, setWhy] = useState("");
  const { under, send } = useSending();
  const first = useRef<HTMLButtonElement>(null);
  const sure = useRef<HTMLButtonElement>(null);
  // Before the page is painted: whoever sees the question may answer it.
  useLayoutEffect(() => {
    if (asked !== undefined) {
      (asked ? sure : first).current?.focus();
    }
  }, [asked]);
  if (!mayWrite(of) || isLeaving({ state }) || past.value !== undefined) {
    return null;
  }
  if (asked !== true) {
    return (
      <button type="button" class="quiet danger" onClick={() => setAsked(true)} ref={first}>
        Delete
      </button>
    );
  }
  const keep = (): void => {
    setWhy("");
    setAsked(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && !under) {
      keep();
    }
  };
  return (
    <span class="sure" onKeyDown={onKeyDown}>
      <button
        type="button"
        class="danger"
        onClick={() => send(remove, gone, (error) => setWhy(whyOf(error, "changing")))}
        aria-disabled={under}
        ref={sure}
      >
        {under ? "Deleting…" : `Delete ${labelOf(id)}`}
      </button>
      {!under && (
        <button type="button" onClick={keep}>
          Keep
        </button>
      )}
      {why !== "" && (
        <span class="trouble" role="alert">
          {why}
        </span>
      )}
    </span>
  );
}
