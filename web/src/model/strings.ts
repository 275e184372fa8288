// SPDX-License-Identifier: Apache-2.0

/** User-visible text about times, states and quantities. */
export const strings = {
  justNow: "just now",
  secondsAgo: (seconds: number) => `${seconds} s ago`,
  minutesAgo: (minutes: number) => `${minutes} min ago`,
  hoursAgo: (hours: number) => `${hours} h ago`,
  daysAgo: (days: number) => `${days} days ago`,
  now: "now",
  unreached: (node: string) => `${node} has not connected yet`,
  disconnected: (node: string, since: string) => `no connection to ${node} since ${since}`,
  entriesPending: (disconnection: string, entries: string) => `${disconnection}; ${entries} pending`,
  neverSeen: "never seen",
  lastSeen: (time: string) => `last seen ${time}`,
  controlLost: (seen: string) => `no control session, forwarding state unknown, ${seen}`,
  quantities: {
    bytesPerSecond: "Rate",
    packetsPerSecond: "Packets",
    probeBytesPerSecond: "Probes",
    utilisationPercent: "Utilization",
    delayMicros: "Delay",
    lossPercent: "Loss",
    deliveredPerSecond: "Delivered",
    behindMicros: "Lag of the slowest path",
  } as Readonly<Record<string, string>>,
  noSamples: (quantity: string) => `${quantity}: no samples in the last hour`,
  unknown: "unknown",
  lastHour: (quantity: string, min: string, now: string, max: string) =>
    `${quantity} in the last hour: min ${min}, now ${now}, max ${max}`,
  waitsFor: (nodes: string, more: number) => `waiting for ${nodes}${more === 0 ? "" : ` and ${more} more`}`,
  overloaded: (since: string) => `overloaded since ${since}: new paths avoid it, existing paths stay`,
  drained: (since: string) => `drained, overloaded since ${since}: existing paths avoid it where possible`,
  up: "✓ up",
  down: "✕ down",
  restores: (seconds: number) => `↻ wait-to-restore ${seconds} s`,
  speed: (rates: readonly string[], configured: boolean) =>
    `${rates.join(" and ")}, ${configured ? "from the topology file" : "reported by its nodes"}`,
  micros: (micros: number) => `${micros} µs`,
  measuredDelay: (measured: number, configured: string) => `${measured} µs measured (topology file: ${configured})`,
  notAnAddress: (address: string) => `"${address}" is not an IPv6 address`,
} as const;
