// SPDX-License-Identifier: Apache-2.0
import type { Session, Tunnel } from "./api";
import { numberOf, words } from "./draft";

/** A tunnel endpoint as it is typed. */
export interface TunnelDraft {
  readonly endpoint: string;
  readonly teid: string;
}

/** A session that is being made, as its form shows it. */
export interface SessionDraft {
  readonly id: string;
  readonly ue: string;
  readonly qfi: string;
  readonly rqi: "no" | "yes";
  readonly uplink: TunnelDraft;
  readonly downlink: TunnelDraft;
}

export const NO_TUNNEL: TunnelDraft = { endpoint: "", teid: "" };
export const NO_SESSION: SessionDraft = {
  id: "",
  ue: "",
  qfi: "",
  rqi: "no",
  uplink: NO_TUNNEL,
  downlink: NO_TUNNEL,
};

export function isTunnel({ endpoint, teid }: TunnelDraft): boolean {
  return endpoint !== "" && teid !== "";
}

/** A TEID is a number, or "0x" and its digits. */
export function tunnelOf({ endpoint, teid }: TunnelDraft): Tunnel {
  return { endpoint, teid: numberOf(teid) };
}

/** True if there is enough of it to ask for its plan: the gNB's end may come later, and not half of it. */
export function sessionComplete({ id, uplink, downlink }: SessionDraft): boolean {
  return id !== "" && isTunnel(uplink) && (isTunnel(downlink) || (downlink.endpoint === "" && downlink.teid === ""));
}

/** The body to post. */
export function sessionOf({ id, ue, qfi, rqi, uplink, downlink }: SessionDraft): Session {
  const ues = words(ue);
  return {
    id,
    ...(ues.length === 0 ? {} : { ue: [...ues] }),
    qfi: qfi === "" ? 0 : numberOf(qfi),
    rqi: rqi === "yes",
    uplink: tunnelOf(uplink),
    ...(isTunnel(downlink) ? { downlink: tunnelOf(downlink) } : {}),
  };
}
