// SPDX-License-Identifier: Apache-2.0

const UNITS = ["b/s", "kb/s", "Mb/s", "Gb/s", "Tb/s"] as const;
const STEP = 1000;

/** A rate with two or three significant digits, such as "1.2 Mb/s". */
export function rateText(bitsPerSecond: number): string {
  let value = bitsPerSecond;
  let unit = 0;
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit++;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

/** A number with thin groups of three, such as "21 432". */
export function countText(count: number): string {
  return count.toString().replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** "1 node", "2 nodes", and from a thousand on in groups as countText has them. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : several}`;
}

const LONGEST_LABEL = 20;
const LETTERS = new Intl.Segmenter();

/** A name that fits under an icon or on a button: of a long one the middle is left out, since names differ at their ends. */
export function labelOf(name: string): string {
  const letters = [...LETTERS.segment(name)].map(({ segment }) => segment);
  const side = LONGEST_LABEL / 2;
  return letters.length <= LONGEST_LABEL + 1
    ? name
    : `${letters.slice(0, side).join("")}…${letters.slice(-side).join("")}`;
}

/** How wide a line is for a rate: it grows with each factor of ten, so that 10 kb/s and 10 Gb/s can both be seen. */
export function widthOf(bitsPerSecond: number): number {
  const quiet = 1_000;
  return bitsPerSecond <= quiet ? 0 : Math.min(7, Math.log10(bitsPerSecond / quiet) * 1.4);
}
