// SPDX-License-Identifier: Apache-2.0
import { clockText } from "../../model/clock";
import { endsOf, mapLinkId } from "../../model/network";
import type { PathHop, PathLine } from "../../state/picture";
import { strings } from "./strings";

/** The path that a policy would have if all links were up, while it cannot have it. */
export interface Wanted {
  readonly since: string;
  readonly valid: boolean;
  readonly down: readonly string[];
  readonly links: readonly string[];
}

/** "rerouted since 06:43, wanted p6-v5" */
export function reroutedText({ since, valid, down }: Wanted, now: number): string {
  return strings.rerouted(valid, clockText(since, now), down.join(", "));
}

/** Each of its links once, whichever way packets go. */
export function ghostOf({ links }: Wanted): PathLine {
  const hops = [...new Set(links.map(mapLinkId))].map((link): PathHop => {
    const [from = "", to = ""] = endsOf(link).map((end) => end.replace(/\/\d+$/, ""));
    return { from, to };
  });
  return { id: "wanted", look: "other", ghost: true, hops };
}
