// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { clockText } from "./clock";
import { delayText, endsOf, kindOf, linkText, mapLinkId, overloadText, speedText, viewOf, withStates } from "./network";

const link = (from: string, to: string, up = true) => ({
  id: `${from}/1-${to}/1`,
  up,
  from: { node: from, port: 1 },
  to: { node: to, port: 1 },
  igpMetric: 10,
});
const node = (name: string, pipeconf = "org.sextant.linux") => ({
  name,
  pipeconf,
  ports: [{ number: 1, up: true }],
});
const topology = {
  nodes: [node("l1"), node("p-7", "org.sextant.bmv2")],
  links: [link("l1", "p-7"), link("p-7", "l1")],
  hosts: [{ name: "h11", node: "l1", port: 2, addresses: ["fd00:0:11::2"] }],
};
const view = viewOf(topology, [{ name: "l1", state: "SYNCED" }]);

describe("the network on the map", () => {
  it("draws one line for the two directions of a link", () => {
    expect([...view.links.keys()]).toEqual(["l1/1-p-7/1"]);
    expect(mapLinkId("p-7/1-l1/1")).toBe("l1/1-p-7/1");
    expect(endsOf("p-7/1-l1/1")).toEqual(["p-7/1", "l1/1"]);
  });

  it("knows kinds, edges and who is not there", () => {
    expect(view.nodes.get("l1")).toMatchObject({ kind: "linux", edge: true, state: "SYNCED" });
    expect(view.nodes.get("p-7")).toMatchObject({ kind: "p4", edge: false, state: "LOST" });
    expect(kindOf("org.sextant.vpp")).toBe("vpp");
  });

  it("says what the overload of a node means, as it comes and goes", () => {
    const overloadedSince = "2026-11-28T06:00:00Z";
    const now = Date.parse("2026-11-28T06:05:00Z");
    const clock = clockText(overloadedSince, now);
    const text = (of: typeof view) => overloadText({ overload: of.nodes.get("l1")?.overload }, now);
    const told = (drained?: boolean) =>
      withStates(view, {
        nodes: [],
        links: [],
        ports: [],
        overloads: [{ name: "l1", ...(drained === undefined ? {} : { overloadedSince, drained }) }],
      });
    expect(text(view)).toBe("");
    expect(text(told(false))).toBe(`overloaded since ${clock}: new paths avoid it, existing paths stay`);
    expect(text(told(true))).toBe(`drained, overloaded since ${clock}: existing paths avoid it where possible`);
    expect(text(told())).toBe("");
    const nodes = topology.nodes.map((one) => ({ ...one, overloadedSince, drained: false }));
    expect(text(viewOf({ ...topology, nodes }, []))).toBe(text(told(false)));
    const silent = { name: "l1", state: "LOST" };
    expect(text(withStates(told(true), { nodes: [silent], links: [], ports: [] }))).toBe(text(told(true)));
  });

  it("is down as soon as one direction is", () => {
    const half = viewOf({ ...topology, links: [link("l1", "p-7"), link("p-7", "l1", false)] }, []);
    expect(half.links.get("l1/1-p-7/1")?.up).toBe(false);
  });

  it("is up again when both directions are, in whatever order they tell", () => {
    const [there, back] = ["l1/1-p-7/1", "p-7/1-l1/1"];
    const after = (...links: readonly { id: string; up: boolean }[]) =>
      links
        .reduce((before, told) => withStates(before, { nodes: [], links: [told], ports: [] }), view)
        .links.get(there);
    const cut = [
      { id: there, up: false },
      { id: back, up: false },
    ];
    expect(after(...cut)?.up).toBe(false);
    expect(after(...cut, { id: there, up: true })?.up).toBe(false);
    expect(after(...cut, { id: back, up: true }, { id: there, up: true })?.up).toBe(true);
    expect(after({ id: there, up: false }, { id: back, up: true })?.up).toBe(false);
  });

  it("says when a link that is up again is used", () => {
    const [there, back] = ["l1/1-p-7/1", "p-7/1-l1/1"];
    const now = Date.parse("2026-11-27T06:00:00Z");
    const text = (of: typeof view, later = 0) => {
      const found = of.links.get(there);
      return found === undefined ? "" : linkText(found, now + later);
    };
    const told = (of: typeof view, ...links: readonly { id: string; up: boolean; restores?: string }[]) =>
      withStates(of, { nodes: [], links, ports: [] });
    expect(text(view)).toBe("✓ up");
    const cut = told(view, { id: there, up: false }, { id: back, up: false });
    expect(text(cut)).toBe("✕ down");
    const half = told(cut, { id: there, up: false, restores: "2026-11-27T06:00:08Z" });
    expect(text(half)).toBe("✕ down");
    const whole = told(half, { id: back, up: false, restores: "2026-11-27T06:00:09.2Z" });
    expect(text(whole)).toBe("↻ wait-to-restore 10 s");
    expect(text(whole, 60_000)).toBe("↻ wait-to-restore 0 s");
    expect(text(told(whole, { id: back, up: true }))).toBe("↻ wait-to-restore 8 s");
    expect(text(told(whole, { id: back, up: true }, { id: there, up: true }))).toBe("✓ up");
    expect(text(told(whole, { id: back, up: false }))).toBe("✕ down");
    const seen = topology.links.map((one) => ({ ...one, up: false, restores: "2026-11-27T06:00:03Z" }));
    expect(text(viewOf({ ...topology, links: seen }, []))).toBe("↻ wait-to-restore 3 s");
  });

  it("carries what fits through both directions", () => {
    const mtus = [1500, 9000].map((mtuBytes, i) => ({ ...link("l1", "p-7"), ...topology.links[i], mtuBytes }));
    expect(viewOf({ ...topology, links: mtus }, []).links.get("l1/1-p-7/1")?.mtuBytes).toBe(1500);
    expect(viewOf({ ...topology, links: mtus.toReversed() }, []).links.get("l1/1-p-7/1")?.mtuBytes).toBe(1500);
  });

  it("takes as long as its slower direction, as measured where it is", () => {
    const delays = [{ delayMicros: 100, measuredDelayMicros: 700 }, { delayMicros: 90 }];
    const links = delays.map((delay, i) => ({ ...link("l1", "p-7"), ...topology.links[i], ...delay }));
    const both = viewOf({ ...topology, links }, []).links.get("l1/1-p-7/1");
    expect(both).toMatchObject({ delayMicros: 100, measuredDelayMicros: 700 });
    expect(delayText({ delayMicros: 100, measuredDelayMicros: 700 })).toBe("700 µs measured (topology file: 100 µs)");
    expect(delayText({ delayMicros: 100, measuredDelayMicros: undefined })).toBe("100 µs");
    expect(delayText({ delayMicros: undefined, measuredDelayMicros: undefined })).toBe("unknown");
  });

  it("is as fast as it is described, else as its nodes say", () => {
    const linkOf = (...more: readonly object[]) =>
      viewOf(
        { ...topology, links: more.map((one, i) => ({ ...link("l1", "p-7"), ...topology.links[i], ...one })) },
        [],
      ).links.get("l1/1-p-7/1");
    const told = linkOf({ speedKbps: 10_000_000 }, { speedKbps: 10_000_000 });
    expect([...(told?.speeds ?? [])]).toEqual([
      ["l1/1-p-7/1", 10_000_000],
      ["p-7/1-l1/1", 10_000_000],
    ]);
    expect(told && speedText(told)).toBe("10 Gb/s, reported by its nodes");
    const both = linkOf({ speedKbps: 10_000_000, capacityKbps: 1_000_000 }, { capacityKbps: 2_000_000 });
    expect(both && speedText(both)).toBe("1.0 Gb/s and 2.0 Gb/s, from the topology file");
    const neither = linkOf({}, {});
    expect(neither && speedText(neither)).toBe("unknown");
  });

  it("follows the news and leaves the old view as it was", () => {
    const next = withStates(view, {
      nodes: [{ name: "l1", state: "LOST", reason: "no sign of life", since: "2026-11-23T06:43:00Z" }],
      links: [{ id: "p-7/1-l1/1", up: false }],
      ports: [{ node: "l1", port: 2, up: false }],
    });
    expect(next.nodes.get("l1")).toMatchObject({
      state: "LOST",
      reason: "no sign of life",
      contact: { since: "2026-11-23T06:43:00Z" },
    });
    expect(next.links.get("l1/1-p-7/1")?.up).toBe(false);
    expect(next.hosts.get("h11")?.up).toBe(false);
    expect(view.links.get("l1/1-p-7/1")?.up).toBe(true);
  });
});
