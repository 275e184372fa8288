// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { missingText } from "./Missing";

it("only what was seen is not there any more", () => {
  expect(missingText("policy", "gold", true)).toBe("There is no policy “gold” any more");
  expect(missingText("policy", "never", false)).toBe("There is no policy “never”");
});
