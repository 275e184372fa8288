// SPDX-License-Identifier: Apache-2.0
import { momentText } from "../../model/clock";
import type { Firewall, Hit, Rule } from "./api";
import { strings } from "./strings";

/** The effect of a firewall's rules. */
export function modeText({ mode, enforcement }: Firewall): string {
  return strings.mode(mode, enforcement === "audit");
}

/** The operator's conditions on packets, field by field, in the order in which one looks at a packet. */
export function askedOf(rule: Rule): readonly (readonly [string, string])[] {
  const { srh } = rule;
  const { fields } = strings;
  const said: readonly (readonly [string, unknown])[] = [
    ["", rule.family],
    [fields.from, rule.source],
    [fields.to, rule.destination],
    [fields.protocol, rule.protocol],
    [fields.sourcePorts, rule.sourcePorts],
    [fields.destinationPorts, rule.destinationPorts],
    [fields.tcpFlags, rule.tcpFlags],
    [fields.icmpType, rule.icmpType],
    [fields.state, rule.state],
    [fields.outerSource, rule.outerSource],
    [fields.args, rule.args],
    [fields.srh, srh?.present === undefined ? undefined : srh.present ? fields.present : fields.absent],
    [fields.srhNextHeader, srh?.nextHeader],
    [fields.srhLength, srh?.headerLength],
    [fields.segmentsLeft, srh?.segmentsLeft],
    [fields.lastEntry, srh?.lastEntry],
    [fields.srhFlags, srh?.flags],
    [fields.tag, srh?.tag],
    [fields.previousSid, srh?.previousSid],
    [fields.nextSid, srh?.nextSid],
    [fields.lastSid, srh?.lastSid],
  ];
  return said
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)] as const);
}

/** The name of a rule: its own, or its number from 0 as messages count them. */
export function ruleName(rule: Rule | undefined, index: number): string {
  return rule?.name ?? strings.rule(index);
}

/** An action for people; one of a later controller as it is called. */
export function actionText(action: string): string {
  return strings.actions[action] ?? action;
}

/** Why a node dropped packets of a firewall beside its rules. */
export function droppedText(reason: string): string {
  return strings.drops[reason] ?? reason;
}

/** The text of a finding about a rule. */
export function findingText(code: string): string {
  return strings.findings[code] ?? code.toLowerCase();
}

/** When a rule was hit last, as the node says or as far as readings show; undefined if it never was. */
export function lastHitText(hit: Omit<Hit, "action" | "hits" | "bytes">, moment = momentText): string | undefined {
  const { lastHit, lastHitAfter, lastHitBefore } = hit;
  if (lastHit !== undefined) {
    return strings.lastHit(moment(lastHit));
  }
  if (lastHitBefore === undefined) {
    return undefined;
  }
  return lastHitAfter === undefined
    ? strings.lastHitBefore(moment(lastHitBefore))
    : strings.lastHitBetween(moment(lastHitAfter), moment(lastHitBefore));
}
