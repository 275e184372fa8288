// SPDX-License-Identifier: Apache-2.0
import { counted } from "../../model/format";
import type { Slice, Tunnel } from "./api";
import { teidText } from "./segments";
import { strings } from "./strings";

/** Which S-NSSAI a slice has (TS 23.003), such as "SST 2, SD 000001". */
export function snssaiText({ snssai }: Slice): string {
  return snssai === undefined ? strings.noSnssai : strings.snssai(snssai.sst, snssai.sd);
}

/** Between which nodes. */
export function gatewaysText({ access, core }: Slice): string {
  const far = core.anchor === undefined ? (core.gateway ?? "") : strings.anchorAt(core.anchor);
  return `${access.gateway} ⇄ ${far}`;
}

/** Whose packets it takes. */
export function takesText(slice: Slice): string {
  const matches = slice.match?.length ?? 0;
  return [
    strings.itsSessions,
    ...(matches === 0 ? [] : [counted(matches, strings.match, strings.matchesPlural)]),
    ...(slice.default ? [strings.unmatchedPacketsDefaultSlice] : []),
  ].join(", ");
}

/** One match: all of it holds. */
export function matchText(match: NonNullable<Slice["match"]>[number]): string {
  const { teid, qfi, ue, gnb, dscp } = match;
  const said: readonly (readonly [string, unknown])[] = [
    [strings.fields.teid, teid],
    [strings.fields.qfi, Array.isArray(qfi) ? qfi.join(strings.fields.or) : qfi],
    [strings.fields.ue, ue],
    [strings.fields.gnb, gnb],
    [strings.fields.dscp, dscp],
  ];
  return said
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
}

/** Such as "4 fewer than GTP-U". */
export function againstGtp(more: number): string {
  return strings.againstGtp(more);
}

/** An F-TEID. */
export function tunnelText(tunnel: Tunnel | undefined): string {
  return tunnel === undefined ? strings.unset : `${tunnel.endpoint} ${teidText(Number(tunnel.teid))}`;
}

/** Reasons of a gateway's drops, by the controller's word (docs/reference/mobile-node.md). */

/** A reason for people; one of a later controller as it is called. */
export function droppedText(reason: string): string {
  return strings.drops[reason] ?? reason;
}
