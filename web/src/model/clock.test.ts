// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { agoText, clockText, offsetOf } from "./clock";

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

  it("has its date if it was another day", () => {
    expect(clockText(before(0), now)).toMatch(/^\d\d:\d\d$/);
    expect(clockText(before(72 * HOUR), now)).toMatch(/20.*\d\d:\d\d$/);
  });
});
