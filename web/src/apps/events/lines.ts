// SPDX-License-Identifier: Apache-2.0
import type { LogEvent } from "../../api/client";
import { addressOf } from "../../model/address";
import { agoText, clockText } from "../../model/clock";
import { counted } from "../../model/format";
import { mapLinkId } from "../../model/network";
import type { Thing } from "../../state/picture";
import { strings } from "./strings";

export const KINDS = ["link", "node", "intent", "path", "drift", "audit", "cluster", "controller"] as const;
export const SEVERITIES = ["info", "warning", "error"] as const;

type Subject = LogEvent["subject"];

/** The thing on the map that an event is about, if there is one. */
export function thingOf({ kind, id }: Subject): Thing | undefined {
  switch (kind) {
    case "link":
      return { kind, name: mapLinkId(id) };
    case "node":
    case "host":
      return { kind, name: id };
    default:
      return undefined;
  }
}

/** The part of an app that is needed to go to a subject. */
interface Pages {
  readonly id: string;
  readonly intents?: string;
  pageOf?(thing: Thing): string | undefined;
}

/** Where its subject has a page; undefined if it has none. */
export function pageOf(subject: Subject, apps: readonly Pages[]): string | undefined {
  const thing = thingOf(subject);
  if (thing !== undefined) {
    return apps.map((app) => app.pageOf?.(thing)).find((page) => page !== undefined);
  }
  const app = apps.find((one) => one.intents === subject.kind);
  return app === undefined ? undefined : addressOf(app.id, ...(subject.id === "" ? [] : [subject.id]));
}

/** True if all of these words are in its text or its subject. */
export function matches({ text, subject }: LogEvent, words: string): boolean {
  const all = `${text} ${subject.kind} ${subject.id}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** When it happened, by the controller's clock, and how often if it was more than once. */
export function whenText({ time, first, count }: LogEvent, now: number): string {
  const last = `${clockText(time, now)}, ${agoText(time, now)}`;
  return first === undefined ? last : strings.repeated(last, counted(count, "time"), clockText(first, now));
}
