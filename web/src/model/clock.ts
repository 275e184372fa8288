// SPDX-License-Identifier: Apache-2.0
import { strings } from "./strings";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * How far the controller's clock is ahead of this browser's, in milliseconds.
 *
 * @param date the header Date of an answer (RFC 9110, 6.6.1), which has whole seconds
 * @param received the time of this browser's clock when it came
 */
export function offsetOf(date: string | null, received: number): number | undefined {
  const sent = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(sent) ? undefined : sent + SECOND / 2 - received;
}

/** How long ago a moment of the controller's clock is: "3 min ago". */
export function agoText(iso: string, now: number): string {
  const millis = now - Date.parse(iso);
  if (millis < MINUTE) {
    return millis < 2 * SECOND ? strings.justNow : strings.secondsAgo(Math.floor(millis / SECOND));
  }
  if (millis < HOUR) {
    return strings.minutesAgo(Math.floor(millis / MINUTE));
  }
  return millis < 2 * DAY ? strings.hoursAgo(Math.floor(millis / HOUR)) : strings.daysAgo(Math.floor(millis / DAY));
}

const two = (part: number): string => String(part).padStart(2, "0");

/** The day where this browser is, as ISO 8601 has it: "2026-11-23". */
function dayText(then: Date): string {
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
}

/** The time of day where this browser is, of 24 hours: "06:43:05". */
export function timeText(iso: string): string {
  const then = new Date(iso);
  return [then.getHours(), then.getMinutes(), then.getSeconds()].map(two).join(":");
}

/** The time in the browser's time zone, in every language: "2026-11-23 06:43:05". */
export function momentText(iso: string): string {
  return `${dayText(new Date(iso))} ${timeText(iso)}`;
}

/** When it was, to the minute: "06:43", with the date if that is another day. */
export function clockText(iso: string, now: number): string {
  const [day, minute] = [dayText(new Date(iso)), timeText(iso).slice(0, 5)];
  return day === dayText(new Date(now)) ? minute : `${day} ${minute}`;
}
