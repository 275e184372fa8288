// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Slice, SlicePlan, SliceWay } from "./api";
import plans from "./plans.test.json";
import { stepsOf, type Header, type Step } from "./walk";

/** The controller's answers for slices between l1 and l3 of Figure 4. */
const F3216 = { name: "F3216", blockBits: 32, usidBits: 16 };
const BETWEEN: Slice = {
  name: "s",
  access: { gateway: "l1", gnbs: ["192.0.2.0/24"] },
  core: { gateway: "l3", upfs: ["198.51.100.1"] },
  downlink: "symmetric",
  default: false,
  container: "always",
  unrepresentable: "carry",
  sequenceNumbers: "keep",
};
const ANCHORED: Slice = { ...BETWEEN, core: { anchor: "l3", upfs: ["198.51.100.1"] } };

function steps(slice: Slice, plan: keyof typeof plans, packets: string, direction = "uplink"): readonly Step[] {
  const { ways } = plans[plan] as unknown as SlicePlan;
  const way = ways.find((one: SliceWay) => one.packets === packets && one.direction === direction);
  return stepsOf(slice, way ?? ({ hops: [] } as never), F3216);
}

const say = (headers: readonly Header[] | undefined): string =>
  (headers ?? []).map(({ name, says }) => `${name} ${says}`).join(" | ");
const gtp = "UDP 2152 | GTP-U TEID 0x12345678 | PDU Session Container QFI 9";

describe("the walk of a packet in a slice", () => {
  it("between gateways has GTP-U in front of it and behind, and SRv6 between", () => {
    const walk = steps(BETWEEN, "enhanced", "translated");
    expect(walk.map(({ node }) => node).join(" ")).toBe("l1 l2 p7 p6 v5 v4 l3");
    expect([walk[0]?.behavior, walk.at(-1)?.behavior]).toEqual(["H.M.GTP4.D", "End.M.GTP4.E"]);
    expect(say(walk[0]?.arrives)).toBe(`IPv4 to 198.51.100.1 | ${gtp}`);
    expect(say(walk[0]?.leaves)).toBe("IPv6 to fcbb:bbbb:200:700:600:500:400:0 | SRH SL 1");
    expect(say(walk.at(-1)?.arrives)).toBe("IPv6 to fcbb:bbbb:305:c633:6401:2412:3456:7800 | SRH SL 0");
    expect(say(walk.at(-1)?.leaves)).toBe(`IPv4 to 198.51.100.1 | ${gtp}`);
    expect(walk.map(({ segment, consumed }) => `${segment}.${consumed}`).join(" ")).toBe("0.0 0.0 0.1 0.2 0.3 0.4 1.0");
    expect(walk.at(-2)?.argumentsAt).toBeUndefined();
    expect(walk.at(-1)?.argumentsAt).toBe(48);
  });

  it("that is carried whole has GTP-U inside all the way", () => {
    const walk = steps(BETWEEN, "transport", "carried whole");
    expect(say(walk[1]?.arrives)).toBe(
      "IPv6 to fcbb:bbbb:300:f004:: | IPv4 to 198.51.100.1 | UDP 2152 | GTP-U TEID | PDU Session Container QFI",
    );
    expect(walk[0]?.text).toContain("stays unchanged");
  });

  it("up to an anchor ends as the UE sent it, and down from there begins so", () => {
    const up = steps(ANCHORED, "anchored", "translated, IPv4 inside");
    expect([say(up[0]?.arrives).length > 0, say(up.at(-1)?.leaves)]).toEqual([true, ""]);
    const down = steps(ANCHORED, "anchored", "translated", "downlink");
    expect([say(down[0]?.arrives), down[0]?.behavior]).toEqual(["", "H.Encaps.Red"]);
    expect(say(down.at(-1)?.leaves)).toBe(`IPv4 to 192.0.2.0 | ${gtp}`);
  });

  it("over IPv6 carries arguments that move up with the uSIDs in front of them", () => {
    const six = { ...BETWEEN, access: { gateway: "l1", gnbs: ["2001:db8:b::/48"] }, container: "never" as const };
    const walk = steps({ ...six, core: { gateway: "l3", upfs: ["2001:db8:f::1"] } }, "overIpv6", "translated");
    expect(walk.map(({ argumentsAt }) => argumentsAt)).toEqual([80, 80, 64]);
    expect(walk[0]?.behavior).toBe("End.M.GTP6.D");
    expect(say(walk.at(-1)?.leaves)).toBe("IPv6 to 2001:db8:f::1 | UDP 2152 | GTP-U TEID 0x12345678");
  });
});
