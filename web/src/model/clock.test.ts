// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agoText, clockText, momentText, offsetOf } from "./clock";

const SINCE = "2026-11-23T06:43:00.120Z";
const HOUR = 3_600_000;

describe("a browser whose clock is an hour off", () => {
  for (const off of [-HOUR, 0, HOUR]) {
    it(`of ${off} ms tells how long ago it was by the controller's`, () => {
      const here = Date.parse("2026-11-23T06:46:10Z") + off;
      const offset = offsetOf("Mon, 23 Nov 2026 06:46:10 GMT", here) ?? 0;
      expect(agoText(SINCE, here + offset)).toBe("3 min ago");
    });
  }

  it("knows nothing of it without a date that can be read", () => {
    expect(offsetOf(null, 0)).toBeUndefined();
    expect(offsetOf("yesterday", 0)).toBeUndefined();
  });
});

describe("a moment", () => {
  const now = Date.parse("2026-11-23T06:43:00.120Z");
  const before = (millis: number): string => new Date(now - millis).toISOString();

  it("is so long ago", () => {
    expect(agoText(before(-5_000), now)).toBe("just now");
    expect(agoText(before(30_000), now)).toBe("30 s ago");
    expect(agoText(before(59 * 60_000), now)).toBe("59 min ago");
    expect(agoText(before(5 * HOUR), now)).toBe("5 h ago");
    expect(agoText(before(72 * HOUR), now)).toBe("3 days ago");
  });

  it("is written alike in every language and time zone: in UTC, the date as ISO 8601 has it", () => {
    expect(momentText("2026-11-03T18:04:05.999Z")).toBe("2026-11-03 18:04:05 UTC");
    expect(momentText("2026-11-03T00:04:05+02:00")).toBe("2026-11-02 22:04:05 UTC");
  });

  it("is written by this and nothing else", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
    const others = files.filter((file) =>
      /\.toLocale(Date|Time)?String\(|DateTimeFormat/.test(readFileSync(join("src", file), "utf8")),
    );
    expect(others.filter((file) => !file.endsWith("clock.test.ts"))).toEqual([]);
  });

  it("has its date if it was another day", () => {
    expect(clockText(before(0), now)).toBe("06:43:00 UTC");
    expect(clockText(before(7 * HOUR), now)).toBe("2026-11-22 23:43:00 UTC");
  });
});
