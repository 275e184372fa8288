// SPDX-License-Identifier: Apache-2.0
import { cut, type SidFormat } from "../../model/container";
import { digitsOf } from "../../model/ipv6";

/** Args.Mob.Session (RFC 9433, 6.1), behind the IPv4 address that End.M.GTP4.E sends to (6.6). */
export interface Arguments {
  readonly address: string | undefined;
  readonly qfi: number;
  readonly rqi: boolean;
  readonly teid: number;
}

/** A piece of a SID. */
export interface Part {
  readonly kind: "block" | "global" | "local" | "empty" | "locator" | "address" | "flow" | "teid" | "rest";
  readonly digits: string;
  /** The first of its bits. */
  readonly at: number;
}

const BITS_PER_DIGIT = 4;
const ADDRESS_DIGITS = 8;
const FLOW_DIGITS = 2;
const TEID_DIGITS = 8;
const SESSION_DIGITS = FLOW_DIGITS + TEID_DIGITS;

/** @param hex as the controller writes them */
export function argumentsOf(hex: string): Arguments {
  const session = hex.slice(-SESSION_DIGITS);
  const flow = parseInt(session.slice(0, FLOW_DIGITS), 16);
  return {
    address: hex.length > SESSION_DIGITS ? ipv4Of(hex.slice(0, ADDRESS_DIGITS)) : undefined,
    qfi: flow >> 2,
    rqi: (flow & 2) !== 0,
    teid: parseInt(session.slice(FLOW_DIGITS), 16),
  };
}

export function ipv4Of(digits: string): string {
  return (digits.match(/../g) ?? []).map((octet) => parseInt(octet, 16)).join(".");
}

export function teidText(teid: number): string {
  return `0x${teid.toString(16)}`;
}

/**
 * Takes a SID apart: its block and uSIDs, then its arguments.
 *
 * @param block digits of the nodes' block; a SID that does not begin so is no container
 * @param args where the arguments begin and how many digits they have; undefined if it has none
 */
export function partsOf(
  sid: string,
  format: SidFormat,
  block: string,
  args?: { readonly at: number; readonly digits: number },
): readonly Part[] {
  const all = digitsOf(sid);
  const end = args === undefined ? all.length : args.at / BITS_PER_DIGIT;
  const front = all.startsWith(block) && fits(end, format) ? uSids(sid, format, end) : whole(all, end, args);
  return args === undefined ? front : [...front, ...argumentParts(all, end, args.digits)];
}

/** True if uSIDs end there. */
function fits(end: number, { blockBits, usidBits }: SidFormat): boolean {
  return end * BITS_PER_DIGIT >= blockBits && (end * BITS_PER_DIGIT - blockBits) % usidBits === 0;
}

function uSids(sid: string, format: SidFormat, end: number): readonly Part[] {
  const { block, cells } = cut(sid, format);
  const usidDigits = format.usidBits / BITS_PER_DIGIT;
  return [
    { kind: "block", digits: block, at: 0 },
    ...cells
      .map((cell, i): Part => ({ ...cell, at: format.blockBits + i * format.usidBits }))
      .slice(0, (end - block.length) / usidDigits),
  ];
}

function whole(all: string, end: number, args: object | undefined): readonly Part[] {
  return [{ kind: args === undefined ? "address" : "locator", digits: all.slice(0, end), at: 0 }];
}

function argumentParts(all: string, from: number, digits: number): readonly Part[] {
  const address = digits > SESSION_DIGITS ? ADDRESS_DIGITS : 0;
  const parts: Part[] = [];
  let at = from;
  const take = (kind: Part["kind"], count: number): void => {
    if (count > 0) {
      parts.push({ kind, digits: all.slice(at, at + count), at: at * BITS_PER_DIGIT });
      at += count;
    }
  };
  take("address", address);
  take("flow", FLOW_DIGITS);
  take("teid", TEID_DIGITS);
  take("rest", all.length - at);
  return parts;
}
