// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { clockText } from "./clock";
import { lostText, silenceText, waitText } from "./contact";

const since = "2026-11-23T06:43:00Z";
const now = Date.parse("2026-11-23T06:50:00Z");
const clock = clockText(since, now);

it("a node that does not answer is one message, however many entries wait", () => {
  const contact = { since, lastSeen: since };
  expect(waitText("l1", contact, 8, now)).toBe(`no connection to l1 since ${clock}; 8 entries pending`);
  expect(waitText("l1", contact, 1, now)).toBe(`no connection to l1 since ${clock}; 1 entry pending`);
  expect(silenceText("l1", { since }, now)).toBe("l1 has not connected yet");
});

it("LOST says what is known and what is not", () => {
  expect(lostText({ since, lastSeen: since }, now)).toBe(
    `no control session, forwarding state unknown, last seen ${clock}`,
  );
  expect(lostText({}, now)).toBe("no control session, forwarding state unknown, never seen");
});
