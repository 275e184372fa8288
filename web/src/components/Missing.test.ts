// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { strings } from "./strings";

it("only an object that was seen can have been deleted", () => {
  expect(strings.missing("policy", "gold", true, "")).toBe("The policy “gold” was deleted.");
  expect(strings.missing("policy", "never", false, "")).toBe("There is no policy “never”.");
});
