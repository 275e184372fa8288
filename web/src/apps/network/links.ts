// SPDX-License-Identifier: Apache-2.0
import type { Measured, Values } from "../../model/history";
import { endsOf, type MapLink } from "../../model/network";

/** Both directions of a link. */
export function directionsOf({ id }: MapLink): readonly string[] {
  const [one = "", other = ""] = endsOf(id);
  return [id, `${other}-${one}`];
}

/** The history's name of a direction. */
export function nameOf(direction: string): string {
  return `link:${direction}`;
}

/** The busier one of two directions; in percent if the speed is known. */
export function busier(directions: readonly (Measured | undefined)[]): readonly [string, Values | undefined] {
  const sum = (measured: Measured | undefined): number =>
    (measured?.get("bytesPerSecond") ?? []).reduce<number>((all, value) => all + (value ?? 0), 0);
  const most = directions.toSorted((one, other) => sum(other) - sum(one))[0];
  const percent = most?.get("utilisationPercent");
  return percent === undefined ? ["bytesPerSecond", most?.get("bytesPerSecond")] : ["utilisationPercent", percent];
}
