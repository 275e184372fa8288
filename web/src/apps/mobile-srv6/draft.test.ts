// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Problem } from "../../api/client";
import { besides, complete, EMPTY, hintOf, NO_MATCH, sliceOf, stopsOf, within, withNode } from "./draft";
import { NO_SESSION, sessionComplete, sessionOf } from "./tunnel";

const FILLED = {
  ...EMPTY,
  name: "urllc",
  access: { gateway: "l1", gnbs: "192.0.2.0/24, 203.0.113.0/24" },
  core: { is: "gateway" as const, node: "l3", upfs: "198.51.100.1" },
};

describe("a slice that is made", () => {
  it("takes nodes that are clicked: at the gNBs, at the UPFs, on the way; clicked again, out", () => {
    const clicked = ["l1", "l3", "p7", "v5", "p7"].reduce(withNode, EMPTY);
    expect(stopsOf(clicked)).toEqual(["l1", "v5", "l3"]);
    expect(withNode(clicked, "l1").access.gateway).toBe("");
    expect(withNode({ ...clicked, uplink: "(v5)" }, "v5").uplink).toBe("");
  });

  it("is asked about once it has what it needs, and says what it lacks", () => {
    expect(complete(EMPTY)).toBe(false);
    expect(complete(FILLED)).toBe(true);
    expect(hintOf({ ...FILLED, name: "" })).toContain("a name");
  });

  it("says no more than what was given, and ways that may be any in brackets", () => {
    expect(sliceOf(FILLED)).toEqual({
      name: "urllc",
      access: { gateway: "l1", gnbs: ["192.0.2.0/24", "203.0.113.0/24"] },
      core: { gateway: "l3", upfs: ["198.51.100.1"] },
      downlink: "symmetric",
      default: false,
      container: "always",
      unrepresentable: "carry",
      sequenceNumbers: "keep",
    });
    const more = sliceOf({
      ...FILLED,
      core: { ...FILLED.core, is: "anchor" },
      snssai: { sst: "2", sd: "000001" },
      uplink: "l2, (p7)",
      match: [{ ...NO_MATCH, teid: "0x1000-0x1fff", qfi: "5 9", dscp: "EF" }],
    });
    expect(more.core).toEqual({ anchor: "l3", upfs: ["198.51.100.1"] });
    expect(more.snssai).toEqual({ sst: 2, sd: "000001" });
    expect(more.uplink).toEqual({ hops: ["l2", { node: "p7", loose: true }] });
    expect(more.match).toEqual([{ teid: "0x1000-0x1fff", qfi: [5, 9], dscp: "EF" }]);
  });

  it("leaves what is no number to the controller, which says so at the field", () => {
    expect(sliceOf({ ...FILLED, snssai: { sst: "many", sd: "" } }).snssai).toEqual({ sst: "many" });
  });

  it("has problems at the part of a field that they are about, and none twice", () => {
    const at = (field: string): Problem => ({ code: "INVALID", field, message: field, remedy: "" });
    const problems = [at("/access"), at("/access/gnbs/0"), at("/access/gnbsx")];
    expect(within(problems, "access", "gnbs").map(({ field }) => field)).toEqual(["/access/gnbs/0"]);
    expect(besides(problems, "access", ["gnbs"]).map(({ field }) => field)).toEqual(["/access", "/access/gnbsx"]);
  });
});

describe("a session that is made", () => {
  const half = { ...NO_SESSION, id: "a", uplink: { endpoint: "198.51.100.1", teid: "0x1001" } };

  it("may have no gNB yet, and no half of one", () => {
    expect(sessionOf(half)).toEqual({
      id: "a",
      qfi: 0,
      rqi: false,
      uplink: { endpoint: "198.51.100.1", teid: "0x1001" },
    });
    expect(sessionComplete({ ...half, downlink: { endpoint: "192.0.2.1", teid: "" } })).toBe(false);
    expect(sessionOf({ ...half, downlink: { endpoint: "192.0.2.1", teid: "7" } }).downlink).toEqual({
      endpoint: "192.0.2.1",
      teid: 7,
    });
  });
});
