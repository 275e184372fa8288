// SPDX-License-Identifier: Apache-2.0
import type { StylesheetJson } from "cytoscape";
import { SIDE_BY_SIDE } from "../state/picture";
import { iconOf } from "./icons";

/** The colours of the map, named as the tokens of theme.css. */
export interface Palette {
  readonly ink: string;
  readonly muted: string;
  readonly paper: string;
  readonly surface: string;
  readonly line: string;
  readonly accent: string;
  readonly edge: string;
  readonly forward: string;
  readonly back: string;
  readonly bad: string;
  readonly traffic: string;
  /** Of paths side by side. */
  readonly paths: readonly string[];
}

export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: token("ink"),
    muted: token("muted"),
    paper: token("paper"),
    surface: token("surface"),
    line: token("line"),
    accent: token("accent"),
    edge: token("edge"),
    forward: token("forward"),
    back: token("back"),
    bad: token("bad"),
    traffic: token("traffic"),
    paths: Array.from({ length: SIDE_BY_SIDE }, (_, place) => token(`path${place}`)),
  };
}

const FONT = "Inter, DejaVu Sans, sans-serif";

/** How everything on the map looks. What is animated or wide is what matters; the rest keeps quiet. */
export function styleOf(p: Palette, smallestFont: number): StylesheetJson {
  return [
    {
      selector: "node",
      style: {
        "font-family": FONT,
        "font-size": 13,
        color: p.ink,
        "text-outline-color": p.paper,
        "text-outline-width": 3,
        "text-valign": "bottom",
        "text-margin-y": 5,
        "min-zoomed-font-size": smallestFont,
        "overlay-opacity": 0,
        "z-index": 20,
      },
    },
    {
      selector: "node.node",
      style: {
        label: "data(label)",
        "text-wrap": "wrap",
        "font-weight": 600,
        width: 42,
        height: 42,
        shape: "round-rectangle",
        "corner-radius": "11",
        "background-color": p.surface,
        "border-width": 2,
        "border-color": p.muted,
        "background-fit": "contain",
        "background-width": "68%",
        "background-height": "68%",
        "background-clip": "none",
      },
    },
    { selector: "node.linux", style: { "background-image": iconOf("linux", p.ink) } },
    { selector: "node.p4", style: { "background-image": iconOf("p4", p.ink), shape: "ellipse" } },
    { selector: "node.vpp", style: { "background-image": iconOf("vpp", p.ink), shape: "round-hexagon", width: 48 } },
    { selector: "node.edge", style: { "border-color": p.edge, "border-width": 3 } },
    {
      selector: "node.lost",
      style: { "border-color": p.bad, "border-style": "dashed", "background-image-opacity": 0.35, color: p.bad },
    },
    {
      selector: "node.host",
      style: {
        label: "data(label)",
        width: 11,
        height: 11,
        shape: "ellipse",
        "background-color": p.muted,
        "font-size": 11,
        "font-weight": 500,
        color: p.muted,
        "text-margin-y": 3,
        "text-outline-width": 2,
        "z-index": 15,
      },
    },
    { selector: "node.host.down", style: { "background-color": p.bad, color: p.bad } },
    {
      selector: "edge",
      style: {
        "font-family": FONT,
        "font-size": 10,
        "min-zoomed-font-size": 8,
        "overlay-opacity": 0,
        "curve-style": "haystack",
        "haystack-radius": 0,
        "line-color": p.line,
        width: 2.5,
        "z-index": 1,
      },
    },
    { selector: "edge.attach", style: { width: 1.5, "line-style": "dotted", "line-color": p.muted, opacity: 0.7 } },
    {
      selector: "edge.busy",
      style: {
        "curve-style": "straight",
        width: "data(width)",
        "line-color": p.traffic,
        label: "data(rate)",
        color: p.muted,
        "text-outline-color": p.paper,
        "text-outline-width": 3,
        "text-rotation": "autorotate",
        "z-index": 2,
      },
    },
    {
      selector: "edge.down",
      style: {
        "curve-style": "straight",
        "line-color": p.bad,
        "line-style": "dashed",
        width: 2.5,
        label: "down",
        color: p.bad,
        "text-outline-color": p.paper,
        "text-outline-width": 3,
        "text-rotation": "autorotate",
        "z-index": 3,
      },
    },
    {
      selector: "edge.path",
      style: {
        "curve-style": "unbundled-bezier",
        "control-point-distances": "data(bend)" as unknown as number[],
        "control-point-weights": [0.5],
        "line-color": p.forward,
        "line-cap": "round",
        "target-arrow-color": p.forward,
        "target-arrow-shape": "triangle",
        "arrow-scale": 1,
        width: 4.5,
        "z-index": 10,
        events: "no",
      },
    },
    { selector: "edge.back", style: { "line-color": p.back, "target-arrow-color": p.back, opacity: 0.75, width: 3.5 } },
    { selector: "edge.other", style: { opacity: 0.35, width: 3 } },
    ...p.paths.map((colour, place) => ({
      selector: `edge.beside${place}`,
      style: { "line-color": colour, "target-arrow-color": colour },
    })),
    { selector: "edge.silent", style: { "line-style": "dashed", "line-dash-pattern": [3, 9], opacity: 0.7 } },
    { selector: "edge.standby", style: { "line-style": "dashed", "line-dash-pattern": [10, 6] } },
    { selector: "edge.now", style: { width: 8, opacity: 1, "z-index": 11 } },
    {
      selector: "node.at",
      style: {
        "underlay-color": p.forward,
        "underlay-opacity": 0.28,
        "underlay-padding": 10,
        "underlay-shape": "ellipse",
      },
    },
    {
      selector: "node.stop",
      style: { "border-color": p.forward, "border-width": 4, "background-color": p.surface },
    },
    { selector: "node.host.stop", style: { "background-color": p.forward, color: p.ink, width: 16, height: 16 } },
    {
      selector: "node.waiting",
      style: {
        "underlay-color": p.muted,
        "underlay-opacity": 0.25,
        "underlay-padding": 8,
        "underlay-shape": "round-rectangle",
      },
    },
    {
      selector: "node.selected",
      style: {
        "underlay-color": p.accent,
        "underlay-opacity": 0.25,
        "underlay-padding": 8,
        "underlay-shape": "round-rectangle",
      },
    },
    {
      selector: "edge.selected",
      style: { "underlay-color": p.accent, "underlay-opacity": 0.3, "underlay-padding": 5 },
    },
    {
      selector: "node.cursor",
      style: { "outline-width": 3, "outline-color": p.accent, "outline-offset": 5, "outline-style": "solid" },
    },
    {
      selector: "edge.cursor",
      style: { "underlay-color": p.accent, "underlay-opacity": 0.45, "underlay-padding": 6 },
    },
    {
      selector: "node.packet",
      style: {
        width: 18,
        height: 18,
        shape: "ellipse",
        "background-color": p.forward,
        "border-width": 3,
        "border-color": p.surface,
        "z-index": 40,
        events: "no",
      },
    },
  ];
}
