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

/** A time in UTC, as the messages of the controller and its log have it: "2026-11-23 06:43:05 UTC". */
export function momentText(iso: string): string {
  return new Date(iso).toISOString().replace(/^(\S+)T(\d\d:\d\d:\d\d).*$/, "$1 $2 UTC");
}

/** The same without the date if that is today: "06:43:05 UTC". */
export function clockText(iso: string, now: number): string {
  const [moment, today] = [momentText(iso), new Date(now).toISOString().slice(0, "2026-11-23".length)];
  return moment.startsWith(today) ? moment.slice(today.length + 1) : moment;
}
