// SPDX-License-Identifier: Apache-2.0
import type { LivenessNews, WatchedPath } from "./api";
import { strings } from "./strings";
import { counted } from "../../model/format";

/** The event of the stream by which headends report the paths that they watch. */
export const LIVENESS = "policyLiveness";

/** The part of an event about one policy. */
export function watchedOf(news: LivenessNews, id: string): readonly WatchedPath[] | undefined {
  return news.policies.find((one) => one.id === id)?.candidatePaths;
}

/** How a path is, in a few words: whether packets take it, and whether its probes come back. */
export function livenessText({ inUse, liveness }: WatchedPath): string {
  return strings.livenessOf(inUse, strings.liveness[liveness.state]);
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
      : strings.delay(delayMicros.avg, delayMicros.min, delayMicros.max, jitterMicros ?? 0);
  return strings.probes(lost, counted(sent, "probe")) + delay;
}
