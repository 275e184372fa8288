// SPDX-License-Identifier: Apache-2.0
import { rateText } from "./format";
import { endsOf, withStates, type NetworkView } from "./network";
import { strings } from "./strings";

/** The values of a quantity, the oldest first; null is a gap. */
export type Values = readonly (number | null)[];

/** The measurements of a thing, by quantity. */
export type Measured = ReadonlyMap<string, Values>;

/** The smallest, the youngest and the largest of the known values; undefined if there are none. */
export interface Span {
  readonly min: number;
  /** Undefined if the youngest is a gap. */
  readonly now: number | undefined;
  readonly max: number;
}

export function spanOf(values: Values): Span | undefined {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) {
    return undefined;
  }
  return { min: Math.min(...known), now: values.at(-1) ?? undefined, max: Math.max(...known) };
}

const BITS_PER_BYTE = 8;

/** How a value of a quantity is written; the name of a quantity ends with its unit. */
export function valueText(quantity: string, value: number): string {
  if (quantity === "bytesPerSecond" || quantity === "probeBytesPerSecond") {
    return rateText(value * BITS_PER_BYTE);
  }
  if (quantity.endsWith("PerSecond")) {
    return `${shortText(value)}/s`;
  }
  if (quantity.endsWith("Percent")) {
    return `${shortText(value)} %`;
  }
  return quantity.endsWith("Micros") ? `${shortText(value)} µs` : shortText(value);
}

function shortText(value: number): string {
  return value >= 10 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1);
}

/** The name of a quantity; one that this page has no word for, by its own name. */
export function quantityText(quantity: string): string {
  return strings.quantities[quantity] ?? quantity;
}

/** A line of values in words, for users who do not see it. */
export function seriesText(quantity: string, values: Values): string {
  const span = spanOf(values);
  if (span === undefined) {
    return strings.noSamples(quantityText(quantity));
  }
  const now = span.now === undefined ? strings.unknown : valueText(quantity, span.now);
  return strings.lastHour(quantityText(quantity), valueText(quantity, span.min), now, valueText(quantity, span.max));
}

/**
 * The lines of an SVG path over a box: up is more, zero is at the bottom, a gap interrupts it, and a value alone between gaps is a
 * short line.
 */
export function sparkPath(values: Values, width: number, height: number): string {
  const max = spanOf(values)?.max ?? 0;
  const step = width / Math.max(1, values.length - 1);
  const y = (value: number): string => (max <= 0 ? height : height - (height * Math.max(0, value)) / max).toFixed(1);
  const parts: string[] = [];
  let drawing = false;
  values.forEach((value, i) => {
    if (value === null) {
      drawing = false;
      return;
    }
    const x = i * step;
    const alone = !drawing && (values[i + 1] ?? null) === null;
    const to = `${x.toFixed(1)} ${y(value)}`;
    parts.push(drawing ? `L${to}` : alone ? `M${Math.max(0, x - step).toFixed(1)} ${y(value)}L${to}` : `M${to}`);
    drawing = true;
  });
  return parts.join("");
}

/** How much of its speed a link carries, in percent; undefined if its speed is not known. */
export function utilisationOf(bitsPerSecond: number, kbps: number | undefined): number | undefined {
  return kbps === undefined || kbps <= 0 ? undefined : bitsPerSecond / (kbps * 10);
}

/** The states of a moment, as the controller reports them. */
export interface MomentSource {
  readonly nodes: readonly { readonly name: string; readonly state: string }[];
  readonly links: readonly { readonly id: string; readonly up: boolean; readonly bitsPerSecond?: number }[];
  readonly hosts: readonly { readonly name: string; readonly up: boolean }[];
}

/**
 * The network with the states of a moment: things that were not there then are left out; those that are not there any
 * more have no place.
 */
export function viewAt(view: NetworkView, moment: MomentSource): NetworkView {
  const nodeStates = new Map(moment.nodes.map((node) => [node.name, node.state]));
  const links = new Map(moment.links.map((link) => [link.id, link]));
  const hosts = new Map(moment.hosts.map((host) => [host.name, host.up]));
  const there = withStates(view, { nodes: moment.nodes, links: moment.links, ports: [] });
  return {
    nodes: new Map([...there.nodes].filter(([name]) => nodeStates.has(name))),
    links: new Map(
      [...there.links].filter(([id, link]) => {
        const [one = "", other = ""] = endsOf(id);
        const known = links.has(id) || links.has(`${other}-${one}`);
        return known && nodeStates.has(link.a.node) && nodeStates.has(link.b.node);
      }),
    ),
    hosts: new Map(
      [...there.hosts]
        .filter(([name, host]) => hosts.has(name) && nodeStates.has(host.at.node))
        .map(([name, host]) => [name, { ...host, up: hosts.get(name) ?? true }]),
    ),
  };
}

/** The traffic of the ports at the ends of links then, by "node/port". */
export function ratesAt(
  moment: MomentSource,
): ReadonlyMap<string, { readonly inBitsPerSecond: number; readonly outBitsPerSecond: number }> {
  const rates = new Map<string, { inBitsPerSecond: number; outBitsPerSecond: number }>();
  const at = (end: string): { inBitsPerSecond: number; outBitsPerSecond: number } => {
    const rate = rates.get(end) ?? { inBitsPerSecond: 0, outBitsPerSecond: 0 };
    rates.set(end, rate);
    return rate;
  };
  for (const { id, bitsPerSecond } of moment.links) {
    const [from = "", to = ""] = endsOf(id);
    if (bitsPerSecond !== undefined) {
      at(from).outBitsPerSecond = bitsPerSecond;
      at(to).inBitsPerSecond = bitsPerSecond;
    }
  }
  return rates;
}

const MINUTE = 60;

/** The distance of a moment of the history to the second: "3 min 20 s ago"; "now" for nothing. */
export function distanceText(seconds: number): string {
  if (seconds <= 0) {
    return strings.now;
  }
  const minutes = Math.floor(seconds / MINUTE);
  const rest = Math.round(seconds % MINUTE);
  return `${[minutes > 0 ? `${minutes} min` : "", rest > 0 || minutes === 0 ? `${rest} s` : ""].filter((part) => part !== "").join(" ")} ago`;
}

/** So many things, and letters of their names, are asked for at once. */
const MOST = 50;
const LETTERS = 3_000;

/** Names in the parts in which they are asked for; each name once. */
export function partsOf(names: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let letters = 0;
  for (const name of new Set(names)) {
    const last = parts.at(-1);
    if (last === undefined || last.length === MOST || letters + name.length > LETTERS) {
      parts.push([name]);
      letters = name.length;
    } else {
      last.push(name);
      letters += name.length;
    }
  }
  return parts;
}
