// SPDX-License-Identifier: Apache-2.0
import { strings } from "./strings";

/** An IPv6 address as 32 lower-case hexadecimal digits: cuts and shifts here are by digits. */
export type Hex128 = string;

const DIGITS_PER_GROUP = 4;
const GROUPS = 8;

/**
 * The digits of an address in the notation of RFC 4291 without an IPv4 tail.
 *
 * @throws Error naming the text if it is none
 */
export function digitsOf(address: string): Hex128 {
  const halves = address.toLowerCase().split("::");
  const [head = [], tail] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = GROUPS - head.length - (tail?.length ?? 0);
  const groups = tail === undefined ? head : [...head, ...Array<string>(Math.max(0, missing)).fill("0"), ...tail];
  if (halves.length > 2 || groups.length !== GROUPS || !groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))) {
    throw new Error(strings.notAnAddress(address));
  }
  return groups.map((group) => group.padStart(DIGITS_PER_GROUP, "0")).join("");
}

/** The address as RFC 5952 writes it: the first longest run of two or more zero groups becomes "::". */
export function addressOf(digits: Hex128): string {
  const groups = Array.from({ length: GROUPS }, (_, i) =>
    digits.slice(i * DIGITS_PER_GROUP, (i + 1) * DIGITS_PER_GROUP).replace(/^0{1,3}/, ""),
  );
  const [start, length] = longestZeros(groups);
  if (length < 2) {
    return groups.join(":");
  }
  return `${groups.slice(0, start).join(":")}::${groups.slice(start + length).join(":")}`;
}

function longestZeros(groups: readonly string[]): [start: number, length: number] {
  let best: [number, number] = [0, 0];
  let length = 0;
  groups.forEach((group, i) => {
    length = group === "0" ? length + 1 : 0;
    if (length > best[1]) {
      best = [i - length + 1, length];
    }
  });
  return best;
}
