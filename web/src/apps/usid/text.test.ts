// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { routeText, termsText, viaText } from "./text";

describe("what a policy of candidate paths is besides these", () => {
  it("is said where it is not as by default", () => {
    expect(termsText({ policy: {} })).toBe("");
    expect(
      termsText({ policy: { color: 100, priority: 7, whenInvalid: "drop" }, bindingSid: "fcbb:bbbb:700:f800::" }),
    ).toBe("color 100, priority 7, binding SID fcbb:bbbb:700:f800::, drops when no path is valid");
  });

  it("says how often paths are watched", () => {
    expect(termsText({ policy: { liveness: { intervalMillis: 50, multiplier: 3, holdDownMillis: 0 } } })).toBe(
      "liveness probes every 50 ms",
    );
  });

  it("tells what happens now instead of what would", () => {
    expect(termsText({ policy: { whenInvalid: "drop" }, fallback: "drop" })).toBe(
      "no path is valid: traffic is dropped",
    );
    expect(termsText({ policy: { whenInvalid: "keep" }, fallback: "keep" })).toBe(
      "no path is valid: traffic stays on the last path",
    );
  });
});

it("names the policy that a hop leads into, and the binding SID where nothing else enters", () => {
  expect(viaText({ hops: ["l2", { policy: "silver", loose: true }] })).toBe("via l2 (silver)");
  expect(routeText({ headend: "p7" })).toBe("p7 → its binding SID");
});

it("tells flows from destinations", () => {
  const flow = {
    source: "h11",
    destination: "h31",
    protocol: "udp" as const,
    destinationPort: "5000-5999",
    dscp: 46,
    priority: 0,
  };
  expect(routeText({ headend: "l1", steering: ["h32", flow, { dscp: 0, priority: 0 }] })).toBe(
    "l1 → h32, udp from h11 to h31 port 5000-5999 DSCP 46, DSCP 0",
  );
});
