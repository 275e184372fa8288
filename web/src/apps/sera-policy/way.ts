// SPDX-License-Identifier: Apache-2.0
import type { PathLine } from "../../state/picture";
import type { TracedEnd, TracedHop } from "./api";
import { strings } from "./strings";

/** The way of a packet over the map, from the headend to its last receiver. */
export function wayOf(hops: readonly Pick<TracedHop, "node">[], { to }: Pick<TracedEnd, "to">): PathLine {
  const names = [...hops.map(({ node }) => node), ...(to === undefined ? [] : [to])].filter(
    (name, i, all) => name !== all[i - 1],
  );
  return {
    id: "journey",
    look: "forward",
    hops: names.slice(1).map((name, i) => ({ from: names[i] ?? "", to: name })),
  };
}

/** Where a packet ended, in a sentence. */
export function endText({ outcome, node, to, why }: TracedEnd): string {
  return outcome === "delivered"
    ? strings.delivered(node, to)
    : strings.ended(outcome === "dropped", why ?? strings.at(node));
}
