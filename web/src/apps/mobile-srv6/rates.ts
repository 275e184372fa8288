// SPDX-License-Identifier: Apache-2.0
import type { RowCounters, SessionStatus } from "./api";

/** A session as it was received at a moment. */
export interface Reading {
  readonly status: SessionStatus;
  readonly millis: number;
}

export interface Rate {
  readonly packetsPerSecond: number;
  readonly bitsPerSecond: number;
}

const MILLIS = 1000;
const BITS = 8;

/**
 * The traffic of a direction between two readings; undefined if one of them is none, or rows were written between them.
 */
export function rateOf(before: Reading | undefined, now: Reading, direction: "uplink" | "downlink"): Rate | undefined {
  const first = counted(before?.status.counters?.[direction]);
  const last = counted(now.status.counters?.[direction]);
  const seconds = (now.millis - (before?.millis ?? now.millis)) / MILLIS;
  if (first === undefined || last === undefined || seconds <= 0 || last.packets < first.packets) {
    return undefined;
  }
  return {
    packetsPerSecond: (last.packets - first.packets) / seconds,
    bitsPerSecond: ((last.bytes - first.bytes) * BITS) / seconds,
  };
}

function counted(counters: RowCounters | undefined): { packets: number; bytes: number } | undefined {
  return counters?.read === true ? { packets: counters.packets ?? 0, bytes: counters.bytes ?? 0 } : undefined;
}
