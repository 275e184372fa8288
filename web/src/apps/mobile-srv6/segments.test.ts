// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { argumentsOf, partsOf } from "./segments";

const F3216 = { name: "F3216", blockBits: 32, usidBits: 16 };
const BLOCK = "fcbbbbbb";
const told = (...of: Parameters<typeof partsOf>): readonly string[] =>
  partsOf(...of).map(({ kind, digits, at }) => `${kind} ${digits} ${at}`);

describe("Args.Mob.Session", () => {
  it.each([
    ["2412345678", { address: undefined, qfi: 9, rqi: false, teid: 0x12345678 }],
    ["26000003ea", { address: undefined, qfi: 9, rqi: true, teid: 0x3ea }],
    ["c6336401fcffffffff", { address: "198.51.100.1", qfi: 63, rqi: false, teid: 0xffffffff }],
  ])("%s says what a packet of GTP-U said", (hex, args) => {
    expect(argumentsOf(hex)).toEqual(args);
  });
});

describe("a SID", () => {
  it("of End.M.GTP4.E is its node's uSID, then the IPv4 address, QFI and TEID", () => {
    expect(told("fcbb:bbbb:305:c633:6401:2412:3456:7800", F3216, BLOCK, { at: 48, digits: 18 })).toEqual([
      "block fcbbbbbb 0",
      "global 0305 32",
      "address c6336401 48",
      "flow 24 80",
      "teid 12345678 88",
      "rest 00 120",
    ]);
  });

  it("behind a container's uSIDs has its arguments where these end", () => {
    expect(told("fcbb:bbbb:200:300:f611:2412:3456:7800", F3216, BLOCK, { at: 80, digits: 10 })).toEqual([
      "block fcbbbbbb 0",
      "global 0200 32",
      "global 0300 48",
      "local f611 64",
      "flow 24 80",
      "teid 12345678 88",
      "rest 00 120",
    ]);
  });

  it("of a locator of its own is no container", () => {
    expect(told("fd00:e:3:5c6:3364:124:1234:5678", F3216, BLOCK, { at: 56, digits: 18 })).toEqual([
      "locator fd00000e000305 0",
      "address c6336401 56",
      "flow 24 88",
      "teid 12345678 96",
    ]);
  });

  it("without arguments is a container, or somebody's address", () => {
    expect(told("fcbb:bbbb:200:700::", F3216, BLOCK)).toHaveLength(7);
    expect(told("2001:db8:f::1", F3216, BLOCK)).toEqual(["address 20010db8000f00000000000000000001 0"]);
  });
});
