// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { EventParser } from "./sse";

describe("server-sent events", () => {
  const stream = 'event: status\ndata: {"a":1}\n\n: alive\n\nevent: traffic\ndata: {}\n\n';
  const events = [
    { name: "status", data: '{"a":1}' },
    { name: "traffic", data: "{}" },
  ];

  it("are the same however the stream is cut", () => {
    for (let size = 1; size <= stream.length; size++) {
      const parser = new EventParser();
      const pieces = stream.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      expect(pieces.flatMap((piece) => parser.push(piece))).toEqual(events);
    }
  });

  it("wait for their end", () => {
    const parser = new EventParser();
    expect(parser.push("data: 1\n")).toEqual([]);
    expect(parser.push("\n")).toEqual([{ name: "message", data: "1" }]);
  });
});
