// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { whyOf } from "./Loaded";

interface Props {
  readonly id: string;
  /** @throws Refused if it stays */
  readonly remove: () => Promise<void>;
  readonly gone: () => void;
}

/** Asks once more, in place: no dialog takes the focus away. */
export function Remove({ id, remove, gone }: Props) {
  const [asked, setAsked] = useState(false);
  const [why, setWhy] = useState("");
  const sure = async (): Promise<void> => {
    try {
      await remove();
      gone();
    } catch (error) {
      setWhy(whyOf(error));
    }
  };
  if (!asked) {
    return (
      <button type="button" class="quiet danger" onClick={() => setAsked(true)}>
        Delete
      </button>
    );
  }
  return (
    <span class="sure">
      <button type="button" class="danger" onClick={() => void sure()} autoFocus>
        Delete {id}
      </button>
      <button type="button" onClick={() => setAsked(false)}>
        Keep
      </button>
      {why !== "" && <span class="trouble">{why}</span>}
    </span>
  );
}
