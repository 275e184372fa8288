// SPDX-License-Identifier: Apache-2.0
import { counted } from "../../model/format";
import type { Slice, Tunnel } from "./api";
import { teidText } from "./segments";

/** Which S-NSSAI a slice has (TS 23.003), such as "SST 2, SD 000001". */
export function snssaiText({ snssai }: Slice): string {
  return snssai === undefined ? "no S-NSSAI" : `SST ${snssai.sst}${snssai.sd === undefined ? "" : `, SD ${snssai.sd}`}`;
}

/** Between which nodes. */
export function gatewaysText({ access, core }: Slice): string {
  const far = core.anchor === undefined ? (core.gateway ?? "") : `${core.anchor} (anchor)`;
  return `${access.gateway} ⇄ ${far}`;
}

/** Whose packets it takes. */
export function takesText(slice: Slice): string {
  const matches = slice.match?.length ?? 0;
  return [
    "its sessions",
    ...(matches === 0 ? [] : [counted(matches, "match", "matches")]),
    ...(slice.default ? ["what no other takes"] : []),
  ].join(", ");
}

/** One match: all of it holds. */
export function matchText(match: NonNullable<Slice["match"]>[number]): string {
  const { teid, qfi, ue, gnb, dscp } = match;
  const said: readonly (readonly [string, unknown])[] = [
    ["TEID", teid],
    ["QFI", Array.isArray(qfi) ? qfi.join(" or ") : qfi],
    ["UE", ue],
    ["gNB", gnb],
    ["DSCP", dscp],
  ];
  return said
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
}

/** Such as "4 fewer than GTP-U". */
export function againstGtp(more: number): string {
  return more === 0 ? "as many as GTP-U" : `${Math.abs(more)} ${more < 0 ? "fewer" : "more"} than GTP-U`;
}

/** An F-TEID. */
export function tunnelText(tunnel: Tunnel | undefined): string {
  return tunnel === undefined ? "not known yet" : `${tunnel.endpoint} ${teidText(Number(tunnel.teid))}`;
}

/** Reasons of a gateway's drops, by the controller's word (docs/reference/mobile-node.md). */
const DROPPED: Readonly<Record<string, string>> = {
  malformed: "malformed GTP-U",
  noRule: "no rule takes it",
  segmentsLeft: "wrong Segments Left",
  tooBig: "too big for the way",
  inside: "not IP inside",
  noSource: "no source to give back",
  lastHop: "hop limit at its end",
  address: "no address that may be sent to",
  noRoom: "no room for headers",
  noList: "no segment list",
  discarded: "discarded by a rule",
};

/** A reason for people; one of a later controller as it is called. */
export function droppedText(reason: string): string {
  return DROPPED[reason] ?? reason;
}
