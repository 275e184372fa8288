// SPDX-License-Identifier: Apache-2.0
import type { Counters, CountersNews, LogLine, LogNews } from "./api";
import { counted } from "../../model/format";
import { strings } from "./strings";

/** The events of firewalls in the stream. */
export const LOG = "firewallLog";
export const COUNTERS = "firewallCounters";

/** So many lines are shown. */
export const MOST_LINES = 50;

type Counted = CountersNews["firewalls"][number];

/** The part of an event about one firewall; for another version there is none. */
export function countedOf(news: CountersNews, id: string, version: number): Counted | undefined {
  return news.firewalls.find((one) => one.id === id && one.version === version);
}

/** The counters that were read, with the rules' counts since. */
export function withCounted(counts: Counters, counted: Counted): Counters {
  const fresh = new Map(counted.rules.map(({ rule, ...hits }) => [rule, hits] as const));
  return {
    ...counts,
    ...(counts.rules && { rules: counts.rules.map((one) => ({ ...one, ...fresh.get(one.rule) })) }),
    ...(counts.default && { default: { ...counts.default, ...fresh.get(-1) } }),
  };
}

/** Lines of one firewall, latest first, with those of an event in front. */
export function withLines(lines: readonly LogLine[], news: LogNews, id: string): readonly LogLine[] {
  const fresh = news.lines.filter(({ firewall }) => firewall === id).reverse();
  return fresh.length === 0 ? lines : [...fresh, ...lines].slice(0, MOST_LINES);
}

/** Sender and receiver of the packet, as one would write them. */
export function packetText(line: LogLine): string {
  const end = (address: string, port: number | undefined): string =>
    port === undefined ? address : `${address.includes(":") ? `[${address}]` : address}:${port}`;
  const icmp = line.icmpType === undefined ? "" : strings.icmp(line.icmpType, line.icmpCode ?? 0);
  return strings.packet(
    end(line.source, line.sourcePort),
    end(line.destination, line.destinationPort),
    line.protocol,
    icmp,
  );
}

/** How many packets before a line are not shown; "" if none. */
export function missedText({ unlogged, lost }: Pick<LogLine, "unlogged" | "lost">): string {
  return unlogged + lost === 0 ? "" : strings.missed(counted(unlogged + lost, "earlier packet"));
}
