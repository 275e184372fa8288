// SPDX-License-Identifier: Apache-2.0

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * How far the controller's clock is ahead of this browser's, in milliseconds.
 *
 * @param date the header Date of an answer (RFC 9110, 6.6.1), which has whole seconds
 * @param received what this browser's clock said when it came
 */
export function offsetOf(date: string | null, received: number): number | undefined {
  const sent = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(sent) ? undefined : sent + SECOND / 2 - received;
}

/** How long ago a moment of the controller's clock is: "3 min ago". */
export function agoText(iso: string, now: number): string {
  const millis = now - Date.parse(iso);
  if (millis < MINUTE) {
    return millis < 2 * SECOND ? "just now" : `${Math.floor(millis / SECOND)} s ago`;
  }
  if (millis < HOUR) {
    return `${Math.floor(millis / MINUTE)} min ago`;
  }
  return millis < 2 * DAY ? `${Math.floor(millis / HOUR)} h ago` : `${Math.floor(millis / DAY)} days ago`;
}

/** When it was, as people here write it: "06:43", with the date if that is another day. */
export function clockText(iso: string, now: number): string {
  const then = new Date(iso);
  const time = then.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return then.toDateString() === new Date(now).toDateString()
    ? time
    : `${then.toLocaleDateString(undefined, { month: "short", day: "numeric" })} ${time}`;
}
