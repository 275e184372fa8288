// SPDX-License-Identifier: Apache-2.0
import { momentText } from "../../model/clock";
import type { Firewall, Hit, Rule } from "./api";

/** The effect of a firewall's rules. */
export function modeText({ mode, enforcement }: Firewall): string {
  return `${mode}${enforcement === "audit" ? ", audit: counts only" : ""}`;
}

/** The operator's conditions on packets, field by field, in the order in which one looks at a packet. */
export function askedOf(rule: Rule): readonly (readonly [string, string])[] {
  const { srh } = rule;
  const said: readonly (readonly [string, unknown])[] = [
    ["", rule.family],
    ["from", rule.source],
    ["to", rule.destination],
    ["protocol", rule.protocol],
    ["source ports", rule.sourcePorts],
    ["ports", rule.destinationPorts],
    ["TCP flags", rule.tcpFlags],
    ["ICMP type", rule.icmpType],
    ["flow", rule.state],
    ["encapsulated by", rule.outerSource],
    ["arguments", rule.args],
    ["SRH", srh?.present === undefined ? undefined : srh.present ? "there" : "not there"],
    ["SRH next header", srh?.nextHeader],
    ["SRH length", srh?.headerLength],
    ["segments left", srh?.segmentsLeft],
    ["last entry", srh?.lastEntry],
    ["SRH flags", srh?.flags],
    ["tag", srh?.tag],
    ["previous SID", srh?.previousSid],
    ["next SID", srh?.nextSid],
    ["last SID", srh?.lastSid],
  ];
  return said
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)] as const);
}

/** The name of a rule: its own, or its number from 0 as messages count them. */
export function ruleName(rule: Rule | undefined, index: number): string {
  return rule?.name ?? `rule ${index}`;
}

const ACTIONS: Readonly<Record<string, string>> = {
  accept: "accept",
  drop: "drop",
  skipNext: "skip the next function",
  goLast: "go to the last segment",
  evalArgs: "as the SID's arguments say",
};

/** An action for people; one of a later controller as it is called. */
export function actionText(action: string): string {
  return ACTIONS[action] ?? action;
}

const DROPPED: Readonly<Record<string, string>> = {
  unable: "nowhere to go to",
  malformed: "malformed",
  badArguments: "unknown arguments",
  noRule: "no rule took it",
  lastHop: "hop limit used up",
  flows: "too many flows",
  evicted: "flows that gave way to new ones",
};

/** Why a node dropped packets of a firewall beside its rules. */
export function droppedText(reason: string): string {
  return DROPPED[reason] ?? reason;
}

const FINDINGS: Readonly<Record<string, string>> = {
  SHADOWED: "never decides: rules before it take all of its packets",
  REDUNDANT: "changes nothing: without it the same would happen",
  CORRELATED: "the order matters: another rule takes some of its packets and does something else",
  UNDECIDED: "too many overlaps to tell",
};

/** The text of a finding about a rule. */
export function findingText(code: string): string {
  return FINDINGS[code] ?? code.toLowerCase();
}

/** When a rule was hit last, as the node says or as far as readings show; undefined if it never was. */
export function lastHitText(hit: Omit<Hit, "action" | "hits" | "bytes">, moment = localMoment): string | undefined {
  const { lastHit, lastHitAfter, lastHitBefore } = hit;
  if (lastHit !== undefined) {
    return `last ${moment(lastHit)}`;
  }
  if (lastHitBefore === undefined) {
    return undefined;
  }
  return lastHitAfter === undefined
    ? `last before ${moment(lastHitBefore)}`
    : `last between ${moment(lastHitAfter)} and ${moment(lastHitBefore)}`;
}

function localMoment(iso: string): string {
  return momentText(iso);
}
