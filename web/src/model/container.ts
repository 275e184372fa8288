// SPDX-License-Identifier: Apache-2.0
import { addressOf, digitsOf } from "./ipv6";

/** How a SID is cut: a locator block, then uSIDs of one length (RFC 9800, 4.1). */
export interface SidFormat {
  readonly name: string;
  readonly blockBits: number;
  readonly usidBits: number;
}

const FORMATS: readonly SidFormat[] = [
  { name: "F3216", blockBits: 32, usidBits: 16 },
  { name: "F4816", blockBits: 48, usidBits: 16 },
  { name: "48/32", blockBits: 48, usidBits: 32 },
  { name: "32/32", blockBits: 32, usidBits: 32 },
  { name: "F1616", blockBits: 16, usidBits: 16 },
];

export function formatByName(name: string): SidFormat | undefined {
  return FORMATS.find((format) => format.name === name);
}

/** A uSID of a container: global names a node, local means something at the node before it, empty is none. */
export interface Cell {
  readonly digits: string;
  readonly kind: "global" | "local" | "empty";
}

/** A uSID container: its block, its uSIDs in travel order, and bits that no uSID fits in. */
export interface Container {
  readonly address: string;
  readonly block: string;
  readonly cells: readonly Cell[];
  readonly rest: string;
}

const BITS_PER_DIGIT = 4;

/** Cuts an address as its format says. A uSID of the last eighth of the range is local (RFC 9800, 4.1: LIB). */
export function cut(address: string, format: SidFormat): Container {
  const digits = digitsOf(address);
  const blockDigits = format.blockBits / BITS_PER_DIGIT;
  const usidDigits = format.usidBits / BITS_PER_DIGIT;
  const capacity = Math.floor((digits.length - blockDigits) / usidDigits);
  const cells = Array.from({ length: capacity }, (_, i) =>
    cell(digits.slice(blockDigits + i * usidDigits, blockDigits + (i + 1) * usidDigits)),
  );
  return {
    address,
    block: digits.slice(0, blockDigits),
    cells,
    rest: digits.slice(blockDigits + capacity * usidDigits),
  };
}

function cell(digits: string): Cell {
  if (/^0+$/.test(digits)) {
    return { digits, kind: "empty" };
  }
  return { digits, kind: digits >= "e" ? "local" : "global" };
}

/** The address after `count` uSIDs are consumed: the rest moves up behind the block, zeros follow (RFC 9800, 4.1.1). */
export function shift(address: string, format: SidFormat, count: number): string {
  const digits = digitsOf(address);
  const blockDigits = format.blockBits / BITS_PER_DIGIT;
  const gone = (count * format.usidBits) / BITS_PER_DIGIT;
  const moved = digits.slice(0, blockDigits) + digits.slice(blockDigits + gone);
  return addressOf(moved.padEnd(digits.length, "0"));
}

/** How many uSIDs of a container are consumed when a packet carries this destination; undefined if it is not of it. */
export function consumedOf(container: string, destination: string, format: SidFormat): number | undefined {
  const wanted = digitsOf(destination);
  const capacity = cut(container, format).cells.length;
  for (let count = 0; count <= capacity; count++) {
    if (digitsOf(shift(container, format, count)) === wanted) {
      return count;
    }
  }
  return undefined;
}
