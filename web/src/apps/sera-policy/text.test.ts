// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { actionText, askedOf, droppedText, findingText, lastHitText, ruleName } from "./text";

it("a rule is told in the order in which one looks at a packet", () => {
  expect(
    askedOf({
      action: "skipNext",
      srh: { present: false },
      destinationPorts: "53,5353-5360",
      source: ["!2001:db8:9::/64", "group:web"],
    }),
  ).toEqual([
    ["from", "!2001:db8:9::/64, group:web"],
    ["destination ports", "53,5353-5360"],
    ["SRH", "absent"],
  ]);
});

it("what a later controller says is shown as it is", () => {
  expect(actionText("teleport")).toBe("teleport");
  expect(droppedText("tooOld")).toBe("tooOld");
  expect(findingText("ODD")).toBe("odd");
});

it("a rule without a name has its number", () => {
  expect(ruleName({ action: "drop", name: "last" }, 3)).toBe("last");
  expect(ruleName({ action: "drop" }, 3)).toBe("rule 3");
});

it("when a rule was hit last is what the node says, or between two readings", () => {
  const plain = (iso: string): string => iso;
  expect(lastHitText({}, plain)).toBeUndefined();
  expect(lastHitText({ lastHit: "3" }, plain)).toBe("last hit 3");
  expect(lastHitText({ lastHitBefore: "2" }, plain)).toBe("last hit before 2");
  expect(lastHitText({ lastHitAfter: "1", lastHitBefore: "2" }, plain)).toBe("last hit between 1 and 2");
});
