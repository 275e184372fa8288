// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { onDate } from "../api/client";
import { offsetOf } from "../model/clock";

/** The header has whole seconds: a smaller change says nothing. */
const NOTICEABLE_MILLIS = 2_000;

/** How far the controller's clock is ahead of this browser's, in milliseconds. */
export const clockOffset = signal(0);

onDate((date) => {
  const offset = offsetOf(date, Date.now());
  if (offset !== undefined && Math.abs(offset - clockOffset.value) > NOTICEABLE_MILLIS) {
    clockOffset.value = offset;
  }
});

/** The present time of the controller's clock, in milliseconds: times in its answers are measured by this. */
export function controllerNow(): number {
  return Date.now() + clockOffset.value;
}
