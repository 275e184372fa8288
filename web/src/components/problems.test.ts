// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { byField } from "./problems";

it("problems stand at the field that they are about, and those of no field of the form beside it", () => {
  const problem = (field: string) => ({ code: "UNKNOWN" as const, field, message: "m", remedy: "r" });
  const found = byField(["/nodes/3", "/to", "", "/nodes", "/constructor", "/weight/0"].map(problem), {
    nodes: [],
    to: "",
    from: "",
  });
  const fields = (problems: readonly { readonly field: string }[]) => problems.map(({ field }) => field);
  expect(fields(found.of("nodes"))).toEqual(["/nodes/3", "/nodes"]);
  expect(fields(found.of("to"))).toEqual(["/to"]);
  expect(fields(found.of("from"))).toEqual([]);
  expect(fields(found.other)).toEqual(["", "/constructor", "/weight/0"]);
});
