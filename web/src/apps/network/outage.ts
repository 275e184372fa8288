// SPDX-License-Identifier: Apache-2.0
import type { Outage } from "../../api/client";
import { counted } from "../../model/format";
import { endsOf } from "../../model/network";
import type { PathHop, PathLine } from "../../state/picture";

export type Move = Outage["moves"][number];

/** The links that repaired packets may be on, each once; of one move, or of all. */
export function repairLines(moves: readonly Move[]): readonly PathLine[] {
  const links = [...new Set(moves.flatMap((move) => move.links ?? []))].sort();
  return links.map((link) => ({ id: `repair ${link}`, look: "forward", standby: true, hops: [hopOf(link)] }));
}

function hopOf(link: string): PathHop {
  const [from = "", to = ""] = endsOf(link).map((end) => end.replace(/\/\d+$/, ""));
  return { from, to };
}

const WORDS = {
  untouched: "not touched",
  equalLinks: "by equal links",
  repaired: "repaired",
  dropped: "dropped until the controller has found another way",
  cutOff: "cut off",
} as const;

export function wordOf(fate: keyof typeof WORDS): string {
  return WORDS[fate];
}

/** In numbers: what there is none of is left out. */
export function summaryOf({ pairs }: Pick<Outage, "pairs">): readonly string[] {
  return (Object.keys(WORDS) as (keyof typeof WORDS)[])
    .filter((fate) => pairs[fate] > 0)
    .map((fate) => `${counted(pairs[fate], "pair")} of nodes ${wordOf(fate)}`);
}

/** How well a fate looks. */
export function lookOf(fate: keyof typeof WORDS): "good" | "bad" {
  return fate === "dropped" || fate === "cutOff" ? "bad" : "good";
}

/** What a node does, in a line. */
export function moveText(move: Move): string {
  const far = move.metricAfter === undefined ? "" : `, metric ${move.metricBefore} → ${move.metricAfter}`;
  return move.way === undefined ? `${wordOf(move.becomes)}${far}` : `${move.way}, ${move.bytes ?? 0} bytes more${far}`;
}
