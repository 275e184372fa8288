// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { clockText } from "./clock";
import { lostText, silenceText, waitText } from "./contact";

const since = "2026-11-23T06:43:00Z";
const now = Date.parse("2026-11-23T06:50:00Z");
const clock = clockText(since, now);

it("a node that does not answer is one message, however many entries wait", () => {
  const contact = { since, lastSeen: since };
  expect(waitText("l1", contact, 8, now)).toBe(`l1 does not answer since ${clock}; 8 entries wait`);
  expect(waitText("l1", contact, 1, now)).toBe(`l1 does not answer since ${clock}; 1 entry waits`);
  expect(silenceText("l1", { since }, now)).toBe("l1 has not answered yet");
});

it("LOST says what is known and what is not", () => {
  expect(lostText({ since, lastSeen: since }, now)).toBe(`control lost, forwarding unobserved, last seen ${clock}`);
  expect(lostText({}, now)).toBe("control lost, forwarding unobserved, never seen");
});
