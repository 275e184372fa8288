// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { useAsked, useEvery } from "../../components/Loaded";
import { onNews } from "../../state/network";
import type { LivenessNews, PolicyStatus, WatchedPath } from "./api";
import { LIVENESS, watchedOf } from "./liveness";
import { statusOf } from "./policies";

/** Measurements come with no event. */
const LOOK_MILLIS = 5_000;
const NEVER_MILLIS = 3_600_000;

/**
 * The headend's reports about the candidate paths of a policy: asked for every few seconds, and at once when they
 * change.
 */
export function useWatched(id: string, policy: PolicyStatus | undefined): readonly WatchedPath[] {
  const watches = policy?.policy.liveness !== undefined;
  const [paths, setPaths] = useState<readonly WatchedPath[]>([]);
  const asked = useAsked(
    () => (watches ? statusOf(id) : Promise.resolve(undefined)),
    [id, watches, policy?.since, useEvery(watches ? LOOK_MILLIS : NEVER_MILLIS)],
  );
  const known = asked.is === "here" ? asked.value : undefined;
  useEffect(() => setPaths(known?.candidatePaths ?? []), [known]);
  useEffect(
    () =>
      onNews((name, data) => {
        const news = name === LIVENESS ? watchedOf(data as LivenessNews, id) : undefined;
        if (news !== undefined) {
          setPaths(news);
        }
      }),
    [id],
  );
  return paths;
}
