// SPDX-License-Identifier: Apache-2.0
import type { Packet } from "./api";

/** A packet as it is typed. */
export interface PacketDraft {
  readonly source: string;
  readonly destination: string;
  readonly protocol: "tcp" | "udp" | "icmp" | "icmpv6";
  readonly port: string;
  readonly hex: string;
}

export const EMPTY: PacketDraft = { source: "", destination: "", protocol: "tcp", port: "", hex: "" };

/** Whether there is enough of it to ask; the controller judges the rest. */
export function isPacket({ source, destination, hex }: PacketDraft): boolean {
  return hex !== "" || (source !== "" && destination !== "");
}

/** Digits win over a description: whoever pasted them wants these. */
export function packetOf({ source, destination, protocol, port, hex }: PacketDraft): Packet {
  return hex !== ""
    ? { hex: hex.replace(/\s+/g, "") }
    : {
        packet: {
          source,
          destination,
          protocol,
          ...(port !== "" && (protocol === "tcp" || protocol === "udp") ? { destinationPort: Number(port) } : {}),
        },
      };
}
