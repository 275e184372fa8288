// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import {
  changeLines,
  changeText,
  fateOf,
  intentsOf,
  lookOf,
  lostOf,
  moveText,
  repairLines,
  summaryOf,
  type Change,
  type Move,
} from "./outage";

const repaired: Move = {
  node: "l2",
  destination: "l3",
  becomes: "repaired",
  metricBefore: 1,
  metricAfter: 3,
  way: "to p6",
  bytes: 40,
  segments: ["fcbb:bbbb:600:300:f00d::"],
  links: ["l2/3-p6/1", "p6/2-my-node/1"],
};
const cut: Move = { node: "l2", destination: "l1", becomes: "cutOff", metricBefore: 1 };

describe("an outage", () => {
  it("is told in numbers, without what there is none of", () => {
    expect(summaryOf({ pairs: { untouched: 40, equalLinks: 0, repaired: 1, dropped: 2, cutOff: 0 } })).toEqual([
      "40 pairs of nodes unaffected",
      "1 pair of nodes protected by a backup path",
      "2 pairs of nodes dropped until the controller has recomputed the path",
    ]);
  });

  it("draws each link of its repairs once, as a standby", () => {
    expect(repairLines([repaired, { ...repaired, destination: "p6", links: ["l2/3-p6/1"] }, cut])).toEqual([
      { id: "repair l2/3-p6/1", look: "forward", standby: true, hops: [{ from: "l2", to: "p6" }] },
      { id: "repair p6/2-my-node/1", look: "forward", standby: true, hops: [{ from: "p6", to: "my-node" }] },
    ]);
  });

  it("says of a node what it does, and how much farther that is", () => {
    expect(moveText(repaired)).toBe("to p6, 40 more bytes, metric 1 → 3");
    expect(moveText(cut)).toBe("disconnected");
    expect([lookOf("repaired"), lookOf("cutOff")]).toEqual(["good", "bad"]);
  });

  const moved: Change = {
    intent: "policy/gold",
    becomes: "moved",
    entries: 2,
    linksBefore: ["l1/1-l2/1", "l2/2-l3/1"],
    linksAfter: ["l1/1-l2/1", "l2/3-p6/1"],
    why: ["a link is narrow"],
  };

  it("draws where an intent's packets would be, and faintly where no more", () => {
    expect(changeLines(moved)).toEqual([
      { id: "then l1/1-l2/1", look: "forward", hops: [{ from: "l1", to: "l2" }] },
      { id: "then l2/3-p6/1", look: "forward", hops: [{ from: "l2", to: "p6" }] },
      { id: "now l2/2-l3/1", look: "forward", ghost: true, hops: [{ from: "l2", to: "l3" }] },
    ]);
  });

  it("counts intents by what becomes of them, and says what is written or why nothing is", () => {
    const intents = { untouched: 7, moved: 1, fallsBack: 0, broken: 2, mended: 0, changes: [] };
    expect(intentsOf({ intents })).toEqual(["2 cannot be installed", "1 rerouted", "7 unaffected"]);
    expect(intentsOf({ intents: { ...intents, untouched: 0, moved: 0, broken: 0 } })).toEqual(["0 unaffected"]);
    expect(fateOf(moved)).toBe("rerouted");
    expect(changeText(moved)).toBe("2 entries to write; a link is narrow");
    expect(changeText({ ...moved, entries: 0, why: [] })).toBe("no entries to write");
    expect(changeText({ ...moved, becomes: "broken", why: ["no path"] })).toBe("no path");
  });
});

it("what is lost is the node and its links, each once, by the map's names", () => {
  expect(lostOf({ failed: "l2", links: ["l2/1-l1/1", "l1/1-l2/1", "l2/2-l3/1"] })).toEqual([
    "l2",
    "l1/1-l2/1",
    "l2/2-l3/1",
  ]);
  expect(lostOf({ failed: "l1/1-l2/1", links: ["l1/1-l2/1", "l2/1-l1/1"] })).toEqual(["l1/1-l2/1"]);
});
