// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { EMPTY, hintOf, peerOf, withPort } from "./draft";

describe("a peer that is typed", () => {
  it("is asked about when it has a name, a source and a port", () => {
    expect(peerOf(EMPTY)).toBeUndefined();
    expect(peerOf({ name: "office", sources: "2001:db8:a::/48", ports: " " })).toBeUndefined();
    expect(peerOf({ name: "office", sources: "2001:db8:a::/48,2001:db8:b::/48", ports: "l1/3 l3/2" })).toEqual({
      name: "office",
      sources: ["2001:db8:a::/48", "2001:db8:b::/48"],
      ports: ["l1/3", "l3/2"],
    });
  });

  it("is told what is missing, one after the other", () => {
    expect(hintOf(EMPTY)).toContain("name");
    expect(hintOf({ ...EMPTY, name: "office" })).toContain("prefixes");
    expect(hintOf({ name: "office", sources: "2001:db8:a::/48", ports: "" })).toContain("ports");
  });

  it("has a port that is clicked once", () => {
    const one = withPort(EMPTY, "l1/3");
    expect(withPort(withPort(one, "l3/2"), "l1/3").ports).toBe("l1/3, l3/2");
  });
});
