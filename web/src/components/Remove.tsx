// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isOvertaken } from "../api/client";
import { whyOf } from "../api/why";
import { labelOf } from "../model/format";
import { isLeaving } from "../model/leaving";
import { past } from "../state/past";
import { mayWrite } from "../state/session";
import { useSending } from "./sending";
import { strings } from "./strings";

interface Props {
  /** Its kind, by which the controller decides who may change it. */
  readonly of?: string;
  readonly id: string;
  readonly state: string;
  /** The entity tag of the shown state. */
  readonly etag: string | undefined;
  /**
   * @param etag of the state that the person saw if it stays
   * @throws Refused if it stays
   */
  readonly remove: (etag: string | undefined) => Promise<void>;
  readonly gone: () => void;
}

/** Asks once more, in place: the focus goes to the answer, and Escape takes it back. */
export function Remove({ of, id, state, etag, remove, gone }: Props) {
  const [asked, setAsked] = useState<boolean>();
  const [why, setWhy] = useState("");
  // The state that the person saw when asking for the removal; later changes by others are not deleted unseen.
  const [seen, setSeen] = useState<string>();
  const [overtaken, setOvertaken] = useState(false);
  const { under, send } = useSending();
  const first = useRef<HTMLButtonElement>(null);
  const sure = useRef<HTMLButtonElement>(null);
  // Before the page is painted: a user that sees the question may answer it.
  useLayoutEffect(() => {
    if (asked !== undefined) {
      (asked ? sure : first).current?.focus();
    }
  }, [asked]);
  if (!mayWrite(of) || isLeaving({ state }) || past.value !== undefined) {
    return null;
  }
  const ask = (): void => {
    setSeen(etag);
    setOvertaken(false);
    setAsked(true);
  };
  const failed = (error: unknown): void => {
    setOvertaken(isOvertaken(error));
    setWhy(isOvertaken(error) ? strings.changedMeanwhile : whyOf(error, "changing"));
  };
  if (asked !== true) {
    return (
      <button type="button" class="quiet danger" onClick={ask} ref={first}>
        {strings.delete}
      </button>
    );
  }
  const keep = (): void => {
    setWhy("");
    setAsked(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && !under) {
      event.preventDefault();
      keep();
    }
  };
  return (
    <span class="sure" onKeyDown={onKeyDown}>
      <button
        type="button"
        class="danger"
        onClick={() => send(() => remove(overtaken ? etag : seen), gone, failed)}
        aria-disabled={under}
        ref={sure}
      >
        {under ? strings.deleting : overtaken ? strings.deleteAnyway : strings.deleteOne(labelOf(id))}
      </button>
      {!under && (
        <button type="button" onClick={keep}>
          {strings.cancel}
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
