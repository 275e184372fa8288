// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { strings } from "./strings";

/** On a small screen the panel is a sheet: how much of the page it takes, in percent. */
export const sheet = signal(55);

const LEAST = 14;
const MOST = 100;
const STEP = 15;
/** Where a tap leads: from the middle to all, to nothing but the tabs, and back. */
const RESTS = [55, MOST, LEAST] as const;
const TAPPED_WITHIN_PIXELS = 6;

/** Pulled, tapped or moved by keys, it makes the sheet higher or lower. Wide screens do not have it. */
export function SheetHandle() {
  return (
    <div
      class="handle"
      role="separator"
      aria-orientation="horizontal"
      aria-label={strings.panelHeight}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={Math.round(sheet.value)}
      aria-valuetext={strings.percentOfPage(Math.round(sheet.value))}
      tabIndex={0}
      onPointerDown={pull}
      onKeyDown={(event) => {
        const to = wanted(event.key);
        if (to !== undefined) {
          event.preventDefault();
          set(to);
        }
      }}
    />
  );
}

function wanted(key: string): number | undefined {
  const keys: Record<string, number> = {
    ArrowUp: sheet.value + STEP,
    ArrowDown: sheet.value - STEP,
    Home: LEAST,
    End: MOST,
    Enter: next(),
    " ": next(),
  };
  return keys[key];
}

function next(): number {
  const at = RESTS.findIndex((rest) => Math.abs(rest - sheet.value) <= STEP / 2);
  return RESTS[(at + 1) % RESTS.length] ?? RESTS[0];
}

function set(percent: number): void {
  sheet.value = Math.min(MOST, Math.max(LEAST, percent));
}

function pull(event: PointerEvent): void {
  const handle = event.currentTarget as HTMLElement;
  const whole = handle.closest(".shell")?.clientHeight ?? innerHeight;
  const [from, start] = [sheet.value, event.clientY];
  let furthest = 0;
  handle.setPointerCapture(event.pointerId);
  const stop = new AbortController();
  const { signal: over } = stop;
  handle.addEventListener(
    "pointermove",
    ({ clientY }) => {
      furthest = Math.max(furthest, Math.abs(clientY - start));
      set(from + ((start - clientY) / whole) * 100);
    },
    { signal: over },
  );
  handle.addEventListener("pointercancel", () => stop.abort(), { signal: over });
  handle.addEventListener(
    "pointerup",
    () => {
      stop.abort();
      if (furthest < TAPPED_WITHIN_PIXELS) {
        set(from);
        set(next());
      }
    },
    { signal: over },
  );
}
