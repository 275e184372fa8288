// SPDX-License-Identifier: Apache-2.0
import type { Packet } from "./api";

/** A packet as it is typed. */
export interface PacketDraft {
  readonly source: string;
  readonly destination: string;
  readonly protocol: "tcp" | "udp" | "icmp" | "icmpv6";
  readonly port: string;
  readonly hex: string;
  /** Along which it is followed; empty: it comes to the firewall. */
  readonly policy: string;
}

export const EMPTY: PacketDraft = { source: "", destination: "", protocol: "tcp", port: "", hex: "", policy: "" };

/** True if there is enough of it to ask; the controller judges the rest. */
export function isPacket({ source, destination, hex }: PacketDraft): boolean {
  return hex !== "" || (source !== "" && destination !== "");
}

/** Digits win over a description: a user who pasted them wants these. */
export function packetOf({ source, destination, protocol, port, hex, policy }: PacketDraft): Packet {
  const along = policy === "" ? {} : { policy };
  return hex !== ""
    ? { hex: hex.replace(/\s+/g, ""), ...along }
    : {
        packet: {
          source,
          destination,
          protocol,
          ...(port !== "" && (protocol === "tcp" || protocol === "udp") ? { destinationPort: Number(port) } : {}),
        },
        ...along,
      };
}
