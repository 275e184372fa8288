// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { EdgePort, NodeEdge } from "./api";
import { droppedPackets, droppedTexts, filterText, outsiders, whyText } from "./text";

const NONE = { packets: 0, bytes: 0 };
const HOST: EdgePort = {
  port: 3,
  up: true,
  role: "external",
  because: "host",
  what: "h12",
  peers: [],
  dropped: {
    sid: { packets: 7, bytes: 700 },
    srh: NONE,
    source: { packets: 1, bytes: 60 },
    unknownSource: NONE,
    unreadable: NONE,
    internal: NONE,
  },
};
const LINK: EdgePort = { port: 1, up: true, role: "internal", because: "link", what: "l1/1-l2/1", peers: [] };
const L1: NodeEdge = {
  node: "l1",
  connected: true,
  filters: true,
  dropSrh: false,
  knownSources: true,
  read: true,
  ports: [LINK, HOST],
};

describe("the edge in words", () => {
  it("says why a port has its role", () => {
    expect(whyText(HOST)).toBe("host h12");
    expect(whyText(LINK)).toBe("link l1/1-l2/1");
    expect(whyText({ ...LINK, because: "description" })).toBe("by the topology file, l1/1-l2/1");
    expect(whyText({ port: 1, up: true, role: "external", because: "nothing", peers: [] })).toBe("no link");
  });

  it("names only reasons for which something was dropped", () => {
    expect(droppedTexts(HOST)).toEqual([
      "7 packets (700 bytes) to a SID",
      "1 packet (60 bytes) from an address of the domain",
    ]);
    expect(droppedTexts(LINK)).toEqual([]);
    expect(droppedPackets([HOST, LINK])).toBe(8);
  });

  it("tells a node that does not filter from one that nobody knows", () => {
    expect(filterText(L1)).toBe("1 external port, 8 packets dropped");
    expect(filterText({ ...L1, read: false })).toBe("1 external port, counters unavailable");
    expect(filterText({ ...L1, filters: false })).toContain("not supported");
    expect(filterText({ ...L1, filters: false, connected: false })).toContain("not connected");
    expect(filterText({ ...L1, filters: false, refused: "edge_port in_port 1: full" })).toContain("rejects edge_port");
  });

  it("knows who is outside", () => {
    expect(outsiders({ nodes: [L1], unfiltered: [], warnings: [] })).toEqual([
      { host: "h12", node: "l1", open: false },
    ]);
  });
});
