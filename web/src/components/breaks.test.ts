// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { groupsOf } from "./breaks";

it.each([
  ["fcbb:bbbb:200:700::", ["fcbb:", "bbbb:", "200:", "700::"]],
  ["fd00:0:31::2/128", ["fd00:", "0:", "31::", "2/", "128"]],
  ["10.0.31.2/32", ["10.", "0.", "31.", "2/", "32"]],
  ["vrf 0 fd00::2", ["vrf 0 fd00::", "2"]],
  ["::/0", ["::/", "0"]],
  ["h_encaps_red sid_list 4", ["h_encaps_red sid_list 4"]],
  ["", [""]],
])("%s breaks between its groups", (text, groups) => {
  expect(groupsOf(text)).toEqual(groups);
});
