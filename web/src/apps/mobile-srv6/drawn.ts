// SPDX-License-Identifier: Apache-2.0
import { useEffect } from "preact/hooks";
import { isLeaving } from "../../model/leaving";
import { loaded } from "../../state/network";
import { NOTHING, picture } from "../../state/picture";
import type { SliceStatus } from "./api";
import { laneOf, linesOfOne } from "./lanes";
import { slices } from "./slices";

/** The slices that have a colour. */
export function drawnSlices(): readonly SliceStatus[] {
  return [...(slices.all.value?.values() ?? [])].filter((slice) => !isLeaving(slice));
}

/** The colour of a slice among them. */
export function colourOf(slice: string): number {
  return laneOf(
    slice,
    drawnSlices().map(({ id }) => id),
  );
}

/** Draws the ways that the sessions of a slice take. */
export function useDrawn(slice: string): void {
  const ways = slices.all.value?.get(slice)?.ways;
  useEffect(() => {
    picture.value = { ...NOTHING, paths: linesOfOne(ways ?? [], colourOf(slice)) };
  }, [ways, loaded.value]);
}
