// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { EMPTY, isPacket, packetOf } from "./packet";

it("a packet is described, or given in digits, which win", () => {
  const described = { ...EMPTY, source: "2001:db8:1::1", destination: "2001:db8:2::1", port: "53" };
  expect(isPacket(EMPTY)).toBe(false);
  expect(isPacket({ ...EMPTY, source: "::1" })).toBe(false);
  expect(packetOf(described)).toEqual({
    packet: { source: "2001:db8:1::1", destination: "2001:db8:2::1", protocol: "tcp", destinationPort: 53 },
  });
  expect(packetOf({ ...described, hex: "60 00\n00" })).toEqual({ hex: "600000" });
});

it("a ping has no port", () => {
  expect(packetOf({ ...EMPTY, source: "a", destination: "b", protocol: "icmp", port: "7" }).packet).toEqual({
    source: "a",
    destination: "b",
    protocol: "icmp",
  });
});

it("a packet is followed along a policy if one is chosen", () => {
  expect(packetOf({ ...EMPTY, hex: "60", policy: "chain" })).toEqual({ hex: "60", policy: "chain" });
  expect(packetOf({ ...EMPTY, source: "a", destination: "b", policy: "chain" }).policy).toBe("chain");
});
