// SPDX-License-Identifier: Apache-2.0
import type { NodeKind } from "../model/network";

/** Strokes on a grid of 24: a prompt for Linux, match and action for P4, a vector of packets for VPP. */
const STROKES: Record<NodeKind, string> = {
  linux: '<path d="m6 8 4 4-4 4M12.5 16H18"/>',
  p4: '<rect x="6.5" y="6.5" width="11" height="11" rx="2"/><path d="M9.5 4v2.5M14.5 4v2.5M9.5 17.5V20M14.5 17.5V20M4 9.500h2.5M4 14.500h2.5M17.5 9.500H20M17.5 14.500H20"/>',
  vpp: '<path d="m5 7 5 5-5 5M10 7l5 5-5 5M15 7l5 5-5 5"/>',
};

/** A picture of a kind of node in a colour, as an address that needs no request. */
export function iconOf(kind: NodeKind, colour: string): string {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 0 24 24" fill="none" stroke="${colour}"` +
    ` stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">${STROKES[kind]}</svg>`;
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}
