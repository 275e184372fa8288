// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Errand } from "./errand";

/** An errand whose runs end when the test says so. */
function errand(): { errand: Errand; ends: ((done: boolean) => void)[] } {
  const ends: ((done: boolean) => void)[] = [];
  return { errand: new Errand(() => new Promise((resolve) => ends.push(resolve))), ends };
}

/** Ends the last run; its consequences have happened afterwards. */
async function end(ends: readonly ((done: boolean) => void)[], done: boolean): Promise<void> {
  ends.at(-1)?.(done);
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("wanted ten times while it runs, it runs once more", async () => {
  const { errand: own, ends } = errand();
  for (let i = 0; i < 10; i++) {
    own.want();
  }
  expect(ends).toHaveLength(1);
  await end(ends, true);
  expect(ends).toHaveLength(2);
  await end(ends, true);
  expect(ends).toHaveLength(2);
});

it("failed, it is tried again after 1, 2, 4 … 30 seconds, and at once if something changed", async () => {
  const { errand: own, ends } = errand();
  own.want();
  for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
    const before = ends.length;
    await end(ends, false);
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(ends).toHaveLength(before);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends).toHaveLength(before + 1);
  }
  await end(ends, false);
  own.want();
  expect(ends).toHaveLength(9);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ends).toHaveLength(9);
  await end(ends, true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ends).toHaveLength(9);
});

it("dropped, it rests until it is wanted again, even if it is under way or waits", async () => {
  const waiting = errand();
  waiting.errand.want();
  await end(waiting.ends, false);
  waiting.errand.drop();
  const running = errand();
  running.errand.want();
  running.errand.want();
  running.errand.drop();
  await end(running.ends, false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([waiting.ends.length, running.ends.length]).toEqual([1, 1]);
  waiting.errand.want();
  running.errand.want();
  expect([waiting.ends.length, running.ends.length]).toEqual([2, 2]);
});
