// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { Paced } from "./Paced";

/** Frames that come when the test says so. */
function frames() {
  const waiting: (() => void)[] = [];
  return {
    next: (then: () => void): (() => void) => {
      waiting.push(then);
      return () => {
        waiting.splice(waiting.indexOf(then), 1);
      };
    },
    draw: (): void => waiting.splice(0).forEach((then) => then()),
  };
}

function paced(perFrame: number) {
  const { next, draw } = frames();
  const done: (readonly number[])[] = [];
  return { done, draw, of: new Paced<number>(perFrame, (items) => done.push(items), next) };
}

describe("what is done with many things", () => {
  it("is done with so many per frame, the first at once", () => {
    const { done, draw, of } = paced(2);
    of.start([1, 2, 3, 4, 5]);
    expect(done).toEqual([[1, 2]]);
    draw();
    expect(done).toEqual([
      [1, 2],
      [3, 4],
    ]);
    draw();
    draw();
    expect(done).toEqual([[1, 2], [3, 4], [5]]);
  });

  it("gives way to the next round, and ends when it is told to", () => {
    const { done, draw, of } = paced(2);
    of.start([1, 2, 3]);
    of.start([6, 7, 8]);
    draw();
    expect(done).toEqual([[1, 2], [6, 7], [8]]);
    of.start([1, 2, 3]);
    of.stop();
    draw();
    expect(done).toEqual([[1, 2], [6, 7], [8], [1, 2]]);
  });
});
