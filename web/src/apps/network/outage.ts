// SPDX-License-Identifier: Apache-2.0
import type { Outage } from "../../api/client";
import { counted } from "../../model/format";
import { endsOf, mapLinkId } from "../../model/network";
import type { PathHop, PathLine } from "../../state/picture";
import { strings } from "./strings";

export type Move = Outage["moves"][number];
export type Change = Outage["intents"]["changes"][number];

/** The elements that the map shows as lost: a node and its links, or a link; its two directions are one line. */
export function lostOf({ failed, links }: Pick<Outage, "failed" | "links">): readonly string[] {
  return [...new Set([failed, ...links.map(mapLinkId)])];
}

/** The links that repaired packets may be on, each once; of one move, or of all. */
export function repairLines(moves: readonly Move[]): readonly PathLine[] {
  const links = [...new Set(moves.flatMap((move) => move.links ?? []))].sort();
  return links.map((link) => ({ id: `repair ${link}`, look: "forward", standby: true, hops: [hopOf(link)] }));
}

/** Where packets of an intent would be, and, as a ghost, where they would be no more. */
export function changeLines({
  linksBefore,
  linksAfter,
}: Pick<Change, "linksBefore" | "linksAfter">): readonly PathLine[] {
  const left = linksBefore.filter((link) => !linksAfter.includes(link));
  return [
    ...linksAfter.map((link): PathLine => ({ id: `then ${link}`, look: "forward", hops: [hopOf(link)] })),
    ...left.map((link): PathLine => ({ id: `now ${link}`, look: "forward", ghost: true, hops: [hopOf(link)] })),
  ];
}

const FATES = strings.fates;

export function fateOf(change: Pick<Change, "becomes">): string {
  return FATES[change.becomes];
}

/** The requested intents by their fates: fates without any are left out. */
export function intentsOf({ intents }: Pick<Outage, "intents">): readonly string[] {
  const told = (Object.keys(FATES) as (keyof typeof FATES)[])
    .filter((fate) => intents[fate] > 0)
    .map((fate) => strings.countOf(intents[fate], FATES[fate]));
  return intents.untouched > 0 || told.length === 0 ? [...told, strings.unaffected(intents.untouched)] : told;
}

/** The controller's actions for an intent, and its reason. */
export function changeText({ becomes, entries, why }: Change): string {
  const work = entries > 0 ? strings.entriesWritten(counted(entries, "entry", "entries")) : strings.nothingWritten;
  return becomes === "broken" ? why.join("; ") : [work, ...why].join("; ");
}

function hopOf(link: string): PathHop {
  const [from = "", to = ""] = endsOf(link).map((end) => end.replace(/\/\d+$/, ""));
  return { from, to };
}

const WORDS = strings.repairs;

export function wordOf(fate: keyof typeof WORDS): string {
  return WORDS[fate];
}

/** In numbers: zeros are left out. */
export function summaryOf({ pairs }: Pick<Outage, "pairs">): readonly string[] {
  return (Object.keys(WORDS) as (keyof typeof WORDS)[])
    .filter((fate) => pairs[fate] > 0)
    .map((fate) => strings.nodePairs(counted(pairs[fate], "pair"), wordOf(fate)));
}

/** How well a fate looks. */
export function lookOf(fate: keyof typeof WORDS): "good" | "bad" {
  return fate === "dropped" || fate === "cutOff" ? "bad" : "good";
}

/** The action of a node, in a line. */
export function moveText(move: Move): string {
  return [move.way === undefined ? wordOf(move.becomes) : "", asideText(move)].filter((text) => text !== "").join(", ");
}

/** As {@link moveText}, beside the word for it. */
export function asideText({ way, bytes = 0, metricBefore, metricAfter }: Move): string {
  return [
    ...(way === undefined ? [] : [way, strings.moreBytes(bytes)]),
    ...(metricAfter === undefined ? [] : [strings.metricChange(metricBefore, metricAfter)]),
  ].join(", ");
}
