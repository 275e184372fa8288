// SPDX-License-Identifier: Apache-2.0
import type { LivenessNews, WatchedPath } from "./api";

/** The event of the stream by which headends report the paths that they watch. */
export const LIVENESS = "policyLiveness";

/** The part of an event about one policy. */
export function watchedOf(news: LivenessNews, id: string): readonly WatchedPath[] | undefined {
  return news.policies.find((one) => one.id === id)?.candidatePaths;
}

const STATES = { UP: "up", DOWN: "silent", UNKNOWN: "not judged yet" };

/** How a path is, in a few words: whether packets take it, and whether its probes come back. */
export function livenessText({ inUse, liveness }: WatchedPath): string {
  return `${inUse ? "in use, " : ""}${STATES[liveness.state]}`;
}

/** The measurements of its probes; "" before the first. */
export function probesText({ liveness }: WatchedPath): string {
  const { sent, lost, delayMicros, jitterMicros } = liveness;
  if (sent === 0) {
    return "";
  }
  const delay =
    delayMicros === undefined
      ? ""
      : `, ${delayMicros.avg} µs there and back (${delayMicros.min} to ${delayMicros.max}), jitter ${jitterMicros ?? 0} µs`;
  return `${lost} of ${sent} ${sent === 1 ? "probe" : "probes"} lost${delay}`;
}
