// SPDX-License-Identifier: Apache-2.0
import type { EdgeSingular, NodeSingular, StylesheetJson } from "cytoscape";
import { iconOf } from "./icons";
import { mixed, type Palette } from "./palette";

/** How many units of the plane things take that are so many pixels wide; they follow the zoom in steps. */
export interface Scale {
  /** The size of an icon's pixel, as it is drawn at zoom 1. */
  readonly icon: number;
  /** The size of a pixel of the screen. */
  readonly line: number;
}

/** Widths in pixels. */
export const WIDTHS = { link: 2.5, attach: 1.5, path: 4.5, back: 3.5, other: 3, now: 8, ghost: 6 } as const;
/** Dashes and gaps in pixels, by their meaning. */
export const DASHES = {
  down: [8, 5],
  attach: [2, 4],
  silent: [3, 9],
  standby: [12, 6],
  growing: [6, 6],
  ghost: [2, 6],
} as const;
/** How far a path bows out from its link, and how much further each path beside it. */
const BEND = 13;
const BESIDE = 7;
/** To a host it is not far. */
const BEND_TO_HOST = 7;
/** A line leaves its link soon, and runs beside it most of the way: the two directions meet nowhere but at their ends. */
const LEAVES_AT = [0.3, 0.7];
/** A target that a finger finds; WCAG 2.2, 2.5.8. */
export const TARGET_PIXELS = 24;
const NODE = 42;
const HOST = 12;
/** A cluster of ten is so wide, and of a thousand not much wider. */
const CLUSTER = 30;
const PER_TENFOLD = 8;

/**
 * How everything on the map looks, but for the names (Labels.ts). Wide things are those that matter; the rest keeps
 * quiet.
 */
export function styleOf(p: Palette, scale: Scale): StylesheetJson {
  return [...nodes(p, scale), ...hosts(p, scale), ...lines(p, scale), ...paths(p, scale), ...marks(p, scale)];
}

function nodes(p: Palette, { icon, line }: Scale): StylesheetJson {
  return [
    { selector: "node", style: { "overlay-opacity": 0, "z-index": 20 } },
    {
      selector: "node.node",
      style: {
        width: NODE * icon,
        height: NODE * icon,
        shape: "round-rectangle",
        "corner-radius": String(11 * icon),
        "background-color": p.surface,
        "border-width": 2 * line,
        "border-color": p.muted,
        "background-fit": "contain",
        "background-width": "68%",
        "background-height": "68%",
        "background-clip": "none",
      },
    },
    { selector: "node.linux", style: { "background-image": iconOf("linux", p.ink) } },
    { selector: "node.p4", style: { "background-image": iconOf("p4", p.ink), shape: "ellipse" } },
    {
      selector: "node.vpp",
      style: { "background-image": iconOf("vpp", p.ink), shape: "round-hexagon", width: 48 * icon },
    },
    { selector: "node.edge", style: { "border-color": p.edge, "border-width": 3 * line } },
    {
      selector: "node.cluster",
      style: {
        width: (one: NodeSingular) => clusterWidth(one) * line,
        height: (one: NodeSingular) => clusterWidth(one) * line,
        shape: "ellipse",
        "background-color": p.surface,
        "border-width": 4 * line,
        "border-style": "double",
        "border-color": p.muted,
      },
    },
    { selector: "node.lost", style: { "border-color": p.bad, "border-style": "dashed" } },
  ];
}

function clusterWidth(cluster: NodeSingular): number {
  return CLUSTER + PER_TENFOLD * Math.log10(Number(cluster.data("count")));
}

function hosts(p: Palette, { icon, line }: Scale): StylesheetJson {
  const width = Math.max(HOST * icon, 9 * line);
  return [
    {
      selector: "node.host",
      style: { width, height: width, shape: "ellipse", "background-color": p.muted, "z-index": 15 },
    },
    { selector: "node.host.down", style: { "background-color": p.bad } },
  ];
}

function lines(p: Palette, { line }: Scale): StylesheetJson {
  const dashed = (pattern: readonly number[]) => ({
    "line-style": "dashed" as const,
    "line-dash-pattern": pattern.map((part) => part * line),
  });
  return [
    {
      selector: "edge",
      style: { "overlay-opacity": 0, "line-color": p.line, width: WIDTHS.link * line, "z-index": 1 },
    },
    {
      // Several links between two nodes lie beside each other.
      selector: "edge.link, edge.gathered",
      style: { "curve-style": "bezier", "control-point-step-size": 26 * line },
    },
    {
      selector: "edge.attach",
      style: { width: WIDTHS.attach * line, "line-color": p.muted, ...dashed(DASHES.attach) },
    },
    {
      selector: "edge.busy",
      style: {
        width: (one: EdgeSingular) => Number(one.data("width")) * line,
        "line-color": p.traffic,
        "z-index": 2,
      },
    },
    {
      selector: "edge.down",
      style: { "line-color": p.bad, width: WIDTHS.link * line, "z-index": 3, ...dashed(DASHES.down) },
    },
  ];
}

function paths(p: Palette, { icon, line }: Scale): StylesheetJson {
  // From far, lines are as much thinner as icons are smaller: between two of them is little room.
  const thin = Math.min(icon, line);
  const beside = (colour: string, place: number): StylesheetJson[number] => ({
    selector: `edge.beside${place}`,
    style: { ...bent(BEND + BESIDE * place, icon), ...coloured(colour) },
  });
  return [
    {
      selector: "edge.path",
      style: {
        "curve-style": "unbundled-bezier",
        "control-point-weights": LEAVES_AT,
        "edge-distances": "node-position",
        ...bent(BEND, icon),
        ...coloured(p.forward),
        "line-cap": "round",
        "target-arrow-shape": "triangle",
        "arrow-scale": 1,
        width: WIDTHS.path * thin,
        "z-index": 10,
        events: "no",
      },
    },
    { selector: "edge.back", style: { ...coloured(p.back), width: WIDTHS.back * thin } },
    ...p.paths.map(beside),
    { selector: "edge.path.tohost", style: bentOnce(BEND_TO_HOST, icon) },
    ...p.paths.map((_, place) => ({
      selector: `edge.tohost.beside${place}`,
      style: bentOnce(BEND_TO_HOST + BESIDE * place, icon),
    })),
    // Quieter by its colour: a translucent one would be of a third one where two meet.
    { selector: "edge.other", style: { ...coloured(mixed(p.forward, p.paper, 0.5)), width: WIDTHS.other * thin } },
    ...p.paths.map((colour, place) => ({
      selector: `edge.other.beside${place}`,
      style: coloured(mixed(colour, p.paper, 0.5)),
    })),
    {
      selector: "edge.silent",
      style: { "line-style": "dashed", "line-dash-pattern": DASHES.silent.map((part) => part * line) },
    },
    {
      selector: "edge.standby",
      style: { "line-style": "dashed", "line-dash-pattern": DASHES.standby.map((part) => part * line) },
    },
    {
      selector: "edge.ghost",
      style: {
        ...coloured(mixed(p.muted, p.paper, 0.6)),
        "line-style": "dashed",
        "line-dash-pattern": DASHES.ghost.map((part) => part * line),
        "target-arrow-shape": "none",
        width: WIDTHS.ghost * thin,
        "z-index": 4,
      },
    },
    {
      selector: "edge.outside",
      style: { ...coloured(p.muted), "target-arrow-shape": "tee", width: WIDTHS.other * thin },
    },
    {
      selector: "edge.outside.open",
      style: { ...coloured(p.forward), "target-arrow-shape": "triangle" },
    },
    { selector: "edge.now", style: { width: WIDTHS.now * thin, "z-index": 11 } },
    {
      selector: "edge.growing",
      style: {
        "curve-style": "straight",
        "line-color": p.forward,
        "line-style": "dashed",
        "line-dash-pattern": DASHES.growing.map((part) => part * line),
        width: WIDTHS.path * thin,
        "z-index": 9,
        events: "no",
      },
    },
    { selector: "node.tip", style: { width: line, height: line, opacity: 0, events: "no" } },
  ];
}

function bent(pixels: number, icon: number) {
  // The type has one number; the library takes as many as there are weights.
  return { "control-point-distances": [pixels * icon, pixels * icon] };
}

/** For the short way to a host: two bends would lie within the icons. */
function bentOnce(pixels: number, icon: number) {
  return { "control-point-weights": 0.5, "control-point-distances": pixels * icon };
}

function coloured(colour: string) {
  return { "line-color": colour, "target-arrow-color": colour };
}

function marks(p: Palette, { icon, line }: Scale): StylesheetJson {
  const ground = (colour: string, opacity: number, shape: "ellipse" | "round-rectangle") => ({
    "underlay-color": mixed(colour, p.paper, opacity),
    "underlay-opacity": 1,
    "underlay-padding": 8 * line,
    "underlay-shape": shape,
  });
  return [
    { selector: "node.at", style: ground(p.forward, 0.28, "ellipse") },
    {
      selector: "node.stop",
      style: { "border-color": p.forward, "border-width": 4 * line, "background-color": p.surface },
    },
    {
      selector: "node.host.stop",
      style: { "background-color": p.forward, width: 16 * icon, height: 16 * icon, "border-width": 0 },
    },
    { selector: "node.held", style: ground(p.forward, 0.3, "round-rectangle") },
    {
      selector: "node.unattended",
      style: {
        ...ground(p.bad, 0.22, "round-rectangle"),
        "border-color": p.bad,
        "border-style": "dotted",
        "border-width": 4 * line,
      },
    },
    { selector: "node.waiting", style: ground(p.muted, 0.3, "round-rectangle") },
    {
      selector: "node.simulated",
      style: { ...ground(p.bad, 0.22, "round-rectangle"), "border-color": p.bad, "border-style": "dashed" },
    },
    {
      selector: "edge.simulated",
      style: {
        "line-color": p.bad,
        width: WIDTHS.link * line,
        "line-style": "dashed",
        "line-dash-pattern": DASHES.down.map((part) => part * line),
        "z-index": 3,
      },
    },
    { selector: "node.selected", style: ground(p.accent, 0.3, "round-rectangle") },
    {
      selector: "edge.selected",
      style: { "underlay-color": mixed(p.accent, p.paper, 0.35), "underlay-opacity": 1, "underlay-padding": 5 * line },
    },
    {
      selector: "node.cursor",
      style: {
        "outline-width": 3 * line,
        "outline-color": p.accent,
        "outline-offset": 5 * line,
        "outline-style": "solid",
      },
    },
    {
      selector: "edge.cursor",
      style: { "underlay-color": mixed(p.accent, p.paper, 0.5), "underlay-opacity": 1, "underlay-padding": 6 * line },
    },
    {
      selector: "node.packet",
      style: {
        width: 18 * line,
        height: 18 * line,
        shape: "ellipse",
        "background-color": p.forward,
        "border-width": 3 * line,
        "border-color": p.surface,
        "z-index": 40,
        events: "no",
      },
    },
  ];
}
