// SPDX-License-Identifier: Apache-2.0
import { SIDE_BY_SIDE } from "../state/picture";

const TOKENS = [
  "ink",
  "muted",
  "paper",
  "surface",
  "line",
  "accent",
  "edge",
  "forward",
  "back",
  "bad",
  "traffic",
] as const;

/** The colours of the map, named as the tokens of theme.css. */
export type Palette = Readonly<Record<(typeof TOKENS)[number], string>> & {
  /** Colours of paths side by side. */
  readonly paths: readonly string[];
};

/** As the page has them now; where the system forces its own colours, those. */
export function paletteOf(element: Element): Palette {
  const probe = document.createElement("i");
  probe.style.forcedColorAdjust = "none";
  element.append(probe);
  const colour = (token: string): string => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const palette = {
    ...(Object.fromEntries(TOKENS.map((token) => [token, colour(token)])) as Record<(typeof TOKENS)[number], string>),
    paths: Array.from({ length: SIDE_BY_SIDE }, (_, place) => colour(`path${place}`)),
  };
  probe.remove();
  return palette;
}

/** So much of one colour on another, as a colour that nothing shines through. @param share from 0 to 1 */
export function mixed(one: string, other: string, share: number): string {
  const [a, b] = [partsOf(one), partsOf(other)];
  return `rgb(${a.map((part, i) => Math.round(part * share + (b[i] ?? 0) * (1 - share))).join(", ")})`;
}

function partsOf(colour: string): readonly number[] {
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
}
