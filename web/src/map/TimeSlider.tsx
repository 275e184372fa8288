// SPDX-License-Identifier: Apache-2.0
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { clockText } from "../model/clock";
import { distanceText } from "../model/history";
import { controllerNow } from "../state/clock";
import { useEscape } from "../state/escape";
import { learnReach, past, pastTrouble, reach, showNow, showPast } from "../state/past";
import "./timeSlider.css";
import { strings } from "./strings";

/** As often as the controller measures. */
const STEP_SECONDS = 10;
/** While a thumb is dragged, the places where it rests are asked for. */
const REST_MILLIS = 120;

/**
 * The time of the map: now, unless a user goes back. Times and distances are by the controller's clock, not by that of
 * this browser.
 *
 * @param toggled it takes another part of the map now
 */
export function TimeSlider({ toggled }: { readonly toggled: () => void }) {
  const [open, setOpen] = useState(false);
  const [ago, setAgo] = useState(0);
  // The focus returns to the element that opened it.
  const closed = useRef(false);
  const opener = useRef<HTMLButtonElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (open) {
      void learnReach();
    }
    return () => clearTimeout(timer.current);
  }, [open]);
  const shown = past.value;
  const move = (seconds: number): void => {
    setAgo(seconds);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void showPast(seconds), REST_MILLIS);
  };
  const now = (): void => {
    clearTimeout(timer.current);
    setAgo(0);
    showNow();
  };
  const close = (): void => {
    now();
    closed.current = true;
    setOpen(false);
  };
  useEscape(open, close);
  useLayoutEffect(() => {
    toggled();
    if (closed.current) {
      closed.current = false;
      opener.current?.focus();
    }
  }, [open]);
  if (!open) {
    return (
      <div class="time">
        <button
          ref={opener}
          type="button"
          aria-label={strings.history}
          title={strings.historyTitle}
          onClick={() => setOpen(true)}
        >
          <span aria-hidden="true">↶</span> <span class="words">{strings.history}</span>
        </button>
      </div>
    );
  }
  const most = Math.max(STEP_SECONDS, Math.floor(reach.value / STEP_SECONDS) * STEP_SECONDS);
  return (
    <div class={`time open ${shown === undefined ? "" : "then"}`} role="group" aria-label={strings.timeOfTheMap}>
      <input
        type="range"
        aria-label={strings.timeBeforeNow}
        aria-valuetext={
          shown === undefined ? distanceText(ago) : `${distanceText(ago)}, ${clockText(shown.at, controllerNow())}`
        }
        min={-most}
        max={0}
        step={STEP_SECONDS}
        value={-ago}
        onInput={(event) => move(-event.currentTarget.valueAsNumber)}
      />
      <p role="status">
        {shown === undefined
          ? strings.mapShowsNow
          : strings.past(clockText(shown.at, controllerNow()), distanceText(shown.secondsAgo))}
        {pastTrouble.value !== "" && <span class="trouble">{pastTrouble.value}</span>}
      </p>
      <button type="button" onClick={now} aria-disabled={shown === undefined && ago === 0}>
        {strings.now}
      </button>
      <button type="button" class="quiet" onClick={close} aria-label={strings.closeAndReturnToNow}>
        ✕
      </button>
    </div>
  );
}
