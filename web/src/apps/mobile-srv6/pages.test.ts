// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import type { SessionStatus } from "./api";
import { cutPage, PAGE } from "./pages";

it("a page is followed by another if more was found than it holds", () => {
  const found = Array.from({ length: PAGE + 1 }, (_, i) => ({ id: `s${i}` }) as SessionStatus);
  expect(cutPage(found).next).toBe(`s${PAGE - 1}`);
  expect(cutPage(found).sessions).toHaveLength(PAGE);
  expect(cutPage(found.slice(1)).next).toBeUndefined();
});
