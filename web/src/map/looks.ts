// SPDX-License-Identifier: Apache-2.0
import type { NodeKind } from "../model/network";
import type { NetworkView } from "../model/network";
import { widthOf } from "../model/format";
import { SIDE_BY_SIDE, type Picture } from "../state/picture";
import { DASHES, WIDTHS } from "./style";
import { strings } from "./strings";

/** The visible state of the map now. */
export interface Seen {
  readonly view: NetworkView;
  readonly picture: Picture;
  /** Something is counted on some link. */
  readonly busy: boolean;
  /** Some nodes are drawn as one. */
  readonly clustered: boolean;
}

/** A colour, width, dash or shape of the map, and its meaning. */
export interface LegendEntry {
  readonly text: string;
  /** The selectors of the map's style (style.ts) that it explains. */
  readonly of: readonly string[];
  readonly swatch: Swatch;
  readonly isSeen: (seen: Seen) => boolean;
}

/** How it is drawn; colours are tokens of theme.css. */
export type Swatch =
  | { readonly is: "icon"; readonly kind: NodeKind }
  | { readonly is: "shape"; readonly look: string }
  | {
      readonly is: "line";
      readonly colour: string;
      readonly widths: readonly number[];
      readonly dash?: readonly number[];
      /** Half as strong: on the map it is mixed with the ground. */
      readonly pale?: boolean;
      readonly arrow?: boolean;
    };

const KBPS = 1_000;
/** 10 kb/s, 10 Mb/s and 10 Gb/s. */
const EXAMPLES = [10 * KBPS, 10 * KBPS ** 2, 10 * KBPS ** 3];

const nodes = ({ view }: Seen) => [...view.nodes.values()];
const lines = ({ picture }: Seen) => picture.paths;
const shape = (look: string): Swatch => ({ is: "shape", look });

export const LEGEND: readonly LegendEntry[] = [
  ...(Object.keys(strings.kinds) as NodeKind[]).map((kind): LegendEntry => ({
    text: strings.kinds[kind],
    of: [`node.${kind}`],
    swatch: { is: "icon", kind },
    isSeen: (seen) => nodes(seen).some((node) => node.kind === kind),
  })),
  {
    text: strings.edgeNodeWithHosts,
    of: ["node.edge"],
    swatch: shape("edge"),
    isSeen: (seen) => nodes(seen).some((node) => node.edge),
  },
  {
    text: strings.coreNode,
    of: ["node.node"],
    swatch: shape("core"),
    isSeen: (seen) => nodes(seen).some((node) => !node.edge),
  },
  { text: strings.groupOfNodes, of: ["node.cluster"], swatch: shape("cluster"), isSeen: (seen) => seen.clustered },
  {
    text: "lost",
    of: ["node.lost"],
    swatch: shape("lost"),
    isSeen: (seen) => nodes(seen).some((node) => node.state === "LOST"),
  },
  { text: strings.host, of: ["node.host"], swatch: shape("host"), isSeen: ({ view }) => view.hosts.size > 0 },
  {
    text: strings.hostPortDown,
    of: ["node.host.down"],
    swatch: shape("host down"),
    isSeen: ({ view }) => [...view.hosts.values()].some((host) => !host.up),
  },
  {
    text: strings.link,
    of: ["edge", "edge.link, edge.gathered"],
    swatch: { is: "line", colour: "line", widths: [WIDTHS.link] },
    isSeen: ({ view }) => view.links.size > 0,
  },
  {
    text: strings.rateExamples,
    of: ["edge.busy"],
    swatch: { is: "line", colour: "traffic", widths: EXAMPLES.map((bits) => WIDTHS.link + widthOf(bits)) },
    isSeen: ({ busy }) => busy,
  },
  {
    text: "down",
    of: ["edge.down"],
    swatch: { is: "line", colour: "bad", widths: [WIDTHS.link], dash: DASHES.down },
    isSeen: ({ view }) => [...view.links.values()].some((link) => !link.up),
  },
  {
    text: strings.hostLink,
    of: ["edge.attach"],
    swatch: { is: "line", colour: "muted", widths: [WIDTHS.attach], dash: DASHES.attach },
    isSeen: ({ view }) => view.hosts.size > 0,
  },
  {
    text: strings.path,
    of: ["edge.path", "edge.path.tohost"],
    swatch: { is: "line", colour: "forward", widths: [WIDTHS.path], arrow: true },
    isSeen: (seen) =>
      lines(seen).some((line) => line.look === "forward" && line.beside === undefined && line.outside === undefined),
  },
  {
    text: strings.reversePath,
    of: ["edge.back"],
    swatch: { is: "line", colour: "back", widths: [WIDTHS.back], arrow: true },
    isSeen: (seen) => lines(seen).some((line) => line.look === "back" && line.beside === undefined),
  },
  {
    text: strings.otherPathOfThePolicy,
    of: ["edge.other", ...eachLane((lane) => `edge.other.beside${lane}`)],
    swatch: { is: "line", colour: "forward", widths: [WIDTHS.other], pale: true, arrow: true },
    isSeen: (seen) => lines(seen).some((line) => line.look === "other" && line.outside === undefined),
  },
  ...eachLane((lane): LegendEntry => ({
    text: strings.pathNumber(lane + 1),
    of: [`edge.beside${lane}`, `edge.tohost.beside${lane}`],
    swatch: { is: "line", colour: `path${lane}`, widths: [WIDTHS.path], arrow: true },
    isSeen: (seen) => lines(seen).some((line) => line.beside === lane),
  })),
  {
    text: strings.pathDown,
    of: ["edge.silent"],
    swatch: { is: "line", colour: "ink", widths: [WIDTHS.path], dash: DASHES.silent },
    isSeen: (seen) => lines(seen).some((line) => line.silent === true),
  },
  {
    text: strings.backupPath,
    of: ["edge.standby"],
    swatch: { is: "line", colour: "ink", widths: [WIDTHS.path], dash: DASHES.standby },
    isSeen: (seen) => lines(seen).some((line) => line.standby === true),
  },
  {
    text: strings.desiredOrFormerPath,
    of: ["edge.ghost"],
    swatch: { is: "line", colour: "muted", widths: [WIDTHS.ghost], dash: DASHES.ghost, pale: true },
    isSeen: (seen) => lines(seen).some((line) => line.ghost === true),
  },
  {
    text: strings.externalHostFiltered,
    of: ["edge.outside"],
    swatch: { is: "line", colour: "muted", widths: [WIDTHS.other] },
    isSeen: (seen) => lines(seen).some((line) => line.outside === "closed"),
  },
  {
    text: strings.externalHostPeer,
    of: ["edge.outside.open"],
    swatch: { is: "line", colour: "forward", widths: [WIDTHS.other], arrow: true },
    isSeen: (seen) => lines(seen).some((line) => line.outside === "open"),
  },
  {
    text: strings.simulatedFailure,
    of: ["node.simulated", "edge.simulated"],
    swatch: { is: "line", colour: "bad", widths: [WIDTHS.link], dash: DASHES.down },
    isSeen: ({ picture }) => (picture.lost ?? []).length > 0,
  },
  {
    text: strings.nextHopOfThePacket,
    of: ["edge.now", "node.packet", "node.at"],
    swatch: { is: "line", colour: "forward", widths: [WIDTHS.now], arrow: true },
    isSeen: ({ picture }) => picture.packet !== undefined,
  },
  {
    text: strings.pathBeingEntered,
    of: ["edge.growing", "node.tip"],
    swatch: { is: "line", colour: "forward", widths: [WIDTHS.path], dash: DASHES.growing },
    isSeen: ({ picture }) => picture.pick !== undefined && picture.paths.length === 0 && picture.stops.length > 0,
  },
  {
    text: strings.partOfTheIntent,
    of: ["node.stop", "node.host.stop"],
    swatch: shape("stop"),
    isSeen: ({ picture }) => picture.stops.length > 0,
  },
  {
    text: strings.programmedByTheSelectedMember,
    of: ["node.held"],
    swatch: shape("held"),
    isSeen: ({ picture }) => (picture.held ?? []).length > 0,
  },
  {
    text: strings.noController,
    of: ["node.unattended"],
    swatch: shape("unattended"),
    isSeen: ({ picture }) => (picture.unattended ?? []).length > 0,
  },
  {
    text: strings.deletionPending,
    of: ["node.waiting"],
    swatch: shape("waiting"),
    isSeen: ({ picture }) => (picture.waiting ?? []).length > 0,
  },
  {
    text: strings.selected,
    of: ["node.selected", "edge.selected"],
    swatch: shape("selected"),
    isSeen: ({ picture }) => picture.selected !== undefined,
  },
];

function eachLane<T>(make: (lane: number) => T): readonly T[] {
  return Array.from({ length: SIDE_BY_SIDE }, (_, lane) => make(lane));
}
