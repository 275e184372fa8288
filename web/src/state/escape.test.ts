// SPDX-License-Identifier: Apache-2.0
import { expect, it, vi } from "vitest";
import { closesByEscape, escape } from "./escape";

// The page's: here nothing is typed.
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("removeEventListener", () => undefined);

function press(key = "Escape", defaultPrevented = false): boolean {
  let taken = false;
  escape({ key, defaultPrevented, preventDefault: () => (taken = true) });
  return taken;
}

it("Escape closes the innermost first, one at a time", () => {
  const closed: string[] = [];
  const opened = (name: string): void => {
    const done = closesByEscape(() => {
      closed.push(name);
      done();
    });
  };
  opened("time");
  opened("simulation");
  expect(press("Enter")).toBe(false);
  expect(press()).toBe(true);
  expect(closed).toEqual(["simulation"]);
  expect(press("Escape", true)).toBe(false); // the search took it
  expect(press()).toBe(true);
  expect(closed).toEqual(["simulation", "time"]);
  expect(press()).toBe(false);
});

it("what closes otherwise is not closed again", () => {
  const closed: string[] = [];
  const outer = closesByEscape(() => closed.push("outer"));
  const inner = closesByEscape(() => closed.push("inner"));
  inner();
  press();
  expect(closed).toEqual(["outer"]);
  outer();
});
