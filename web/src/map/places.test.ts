// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, it, vi } from "vitest";
import { EMPTY } from "../model/network";
import { forgetPlaces, keepPlaces, keptPlaces } from "./places";

const place = { x: 1, y: 2 };

/** A browser's memory with the answers of a test. */
function remember(content: string | undefined): void {
  const refuse = (): never => {
    throw new Error("SecurityError: the person forbids it");
  };
  vi.stubGlobal("localStorage", {
    getItem: () => content ?? refuse(),
    setItem: () => content ?? refuse(),
    removeItem: () => content ?? refuse(),
  });
}

afterEach(() => vi.unstubAllGlobals());

it("are found again", () => {
  remember(JSON.stringify({ "n:l1": place }));
  expect(keptPlaces(EMPTY)).toEqual({ "n:l1": place });
});

it.each(["{broken", "7", "null", "[]", '{"n:l1":{"x":null,"y":2}}', '{"n:l1":"here"}'])(
  "are none if what was kept is %s",
  (content) => {
    remember(content);
    expect(Object.keys(keptPlaces(EMPTY))).toEqual([]);
  },
);

it("are none in a browser that keeps nothing, and dragging does no harm", () => {
  remember(undefined);
  keepPlaces(EMPTY, { "n:l1": place });
  forgetPlaces(EMPTY);
  expect(keptPlaces(EMPTY)).toEqual({});
});
