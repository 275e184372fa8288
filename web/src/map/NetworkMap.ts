// SPDX-License-Identifier: Apache-2.0
import cytoscape, { type Core, type ElementDefinition, type EdgeSingular, type NodeSingular } from "cytoscape";
import { labelOf, rateText, widthOf } from "../model/format";
import { placeHosts, placeNodes } from "../model/layout";
import type { MapLink, NetworkView, Point } from "../model/network";
import type { Rate } from "../state/network";
import type { PathLine, Picture, Thing } from "../state/picture";
import { forgetPlaces, keepPlace, keptPlaces } from "./places";
import { paletteOf, styleOf } from "./style";

/**
 * The network drawn on a canvas. It is told what there is, how it is, and what to draw over it; it tells what was
 * picked. Ids on the canvas carry a prefix, since a node and a host may have the same name: n: h: l: a: (attachment).
 */

const LARGE = 300;
/** Names that would be smaller are not drawn; of many, sooner, since they cost time and lie over each other. */
const SMALLEST_FONT = 4;
const SMALLEST_FONT_OF_MANY = 7;
const FIT_PADDING = 70;
/** On a small canvas the things need the room more than their surroundings. */
const FIT_SHARE = 0.09;
const MAX_FIT_ZOOM = 1.5;
const READABLE_ZOOM = 0.45;
const PACKET = "packet";
const WALK_MILLIS = 420;
/** How far a path bows out from its link, and how much further each path beside it. */
const BEND = 13;
const BESIDE = 9;

type Drawn = NodeSingular | EdgeSingular;

export interface MapListener {
  picked(thing: Thing): void;
  /** What the keyboard is at, in words. */
  said(text: string): void;
}

export class NetworkMap {
  readonly cy: Core;
  private view: NetworkView | undefined;
  private shown: Picture | undefined;
  private rates: ReadonlyMap<string, Rate> = new Map();
  private cursor: string | undefined;
  /** A person chose what is in view; until then, everything is. */
  private moved = false;

  constructor(
    private readonly element: HTMLElement,
    private readonly listener: MapListener,
  ) {
    this.cy = cytoscape({
      container: element,
      style: styleOf(paletteOf(element), SMALLEST_FONT),
      minZoom: 0.05,
      maxZoom: 4,
      boxSelectionEnabled: false,
      autounselectify: true,
      textureOnViewport: false,
    });
    this.cy.on("tap", "node.node, node.host, edge.link", (event) => {
      const id = (event.target as NodeSingular).id();
      this.pick(id);
    });
    this.cy.on("dragfree", "node", (event) => {
      const node = event.target as NodeSingular;
      if (this.view !== undefined) {
        keepPlace(this.view, node.id(), node.position());
      }
    });
    this.cy.on("dragpan scrollzoom pinchzoom", () => {
      this.moved = true;
    });
    this.cy.on("mouseover", "node, edge.link", () => element.classList.add("over"));
    this.cy.on("mouseout", "node, edge.link", () => element.classList.remove("over"));
  }

  /** The canvas has another size. */
  resized(): void {
    this.cy.resize();
    if (!this.moved) {
      this.fit();
    }
  }

  destroy(): void {
    this.cy.destroy();
  }

  recolour(): void {
    const large = (this.view?.nodes.size ?? 0) > LARGE;
    this.cy.style(styleOf(paletteOf(this.element), large ? SMALLEST_FONT_OF_MANY : SMALLEST_FONT));
  }

  /** Draws a network; where only states changed, nothing moves. */
  show(view: NetworkView): void {
    const before = this.view;
    this.view = view;
    const redrawn = before === undefined || !sameThings(before, view);
    if (redrawn) {
      this.draw(view);
    }
    this.cy.batch(() => this.update(view));
    if (redrawn) {
      this.carry(this.rates);
    }
  }

  private draw(view: NetworkView): void {
    const nodes = placeNodes(view);
    const hosts = placeHosts(view, nodes);
    const kept = keptPlaces(view);
    const large = view.nodes.size > LARGE;
    const first = this.cy.nodes(".node").empty();
    this.cy.elements().remove();
    this.cy.add(elementsOf(view, nodes, hosts, kept));
    // What moves with the pointer may be a picture of itself while it moves, or a thousand nodes stutter.
    (this.cy as unknown as { renderer(): { textureOnViewport: boolean } }).renderer().textureOnViewport = large;
    if (first) {
      this.fit();
    }
    this.shown = undefined;
    this.recolour();
  }

  private update(view: NetworkView): void {
    for (const node of view.nodes.values()) {
      const lost = node.state === "LOST";
      const element = this.cy.getElementById(`n:${node.name}`);
      element.toggleClass("lost", lost);
      element.data("label", lost ? `${labelOf(node.name)}\nlost` : labelOf(node.name));
    }
    for (const link of view.links.values()) {
      const element = this.cy.getElementById(`l:${link.id}`);
      element.toggleClass("down", !link.up);
      if (!link.up) {
        element.removeClass("busy");
      }
    }
    for (const host of view.hosts.values()) {
      this.cy.getElementById(`h:${host.name}`).toggleClass("down", !host.up);
    }
  }

  /** Widths of links by what they carry; a side that cannot count is taken from the other side. */
  carry(rates: ReadonlyMap<string, Rate>): void {
    this.rates = rates;
    this.cy.batch(() => {
      for (const link of this.view?.links.values() ?? []) {
        const element = this.cy.getElementById(`l:${link.id}`);
        const bits = loadOf(link, rates);
        const width = link.up ? widthOf(bits) : 0;
        element.toggleClass("busy", width > 0);
        if (width > 0) {
          element.data({ width: 2.5 + width, rate: rateText(bits) });
        }
      }
    });
  }

  /** Draws an app's picture over the network. */
  draft(picture: Picture): void {
    const before = this.shown;
    this.shown = picture;
    this.cy.batch(() => {
      if (before?.paths !== picture.paths) {
        this.cy.edges(".path").remove();
        picture.paths.forEach((path) => this.cy.add(this.pathEdges(path)));
      }
      this.cy.elements(".stop, .waiting, .selected").removeClass("stop waiting selected");
      picture.stops.forEach((name) => this.byName(name).addClass("stop"));
      picture.waiting?.forEach((name) => this.byName(name).addClass("waiting"));
      if (picture.selected !== undefined) {
        this.byName(picture.selected).addClass("selected");
      }
    });
    this.placePacket(before, picture);
  }

  private pathEdges(path: PathLine): ElementDefinition[] {
    return path.hops.flatMap((hop, i) => {
      const source = this.idOf(hop.from);
      const target = this.idOf(hop.to);
      return source === undefined || target === undefined
        ? []
        : [
            {
              group: "edges" as const,
              data: {
                id: `path:${path.id}:${i}`,
                source,
                target,
                hop: `${hop.from}>${hop.to}`,
                bend: BEND + BESIDE * (path.beside ?? 0),
              },
              classes: `path ${path.look} beside${path.beside ?? ""} ${path.silent === true ? "silent" : ""} ${path.standby === true ? "standby" : ""}`,
            },
          ];
    });
  }

  private placePacket(before: Picture | undefined, picture: Picture): void {
    this.cy.elements(".at, .now").removeClass("at now");
    const place = picture.packet;
    if (place === undefined) {
      this.cy.getElementById(PACKET).remove();
      return;
    }
    const at = this.byName(place.at);
    at.addClass("at");
    this.cy.edges(`.path.forward[hop = "${place.at}>${place.next ?? ""}"]`).addClass("now");
    if (at.empty()) {
      return;
    }
    const target = packetPlace(at.nodes()[0] as NodeSingular);
    const packet = this.cy.getElementById(PACKET);
    if (packet.empty()) {
      this.cy.add({ group: "nodes", data: { id: PACKET }, position: target, classes: "packet", grabbable: false });
    } else if (before?.packet?.at !== place.at) {
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      packet.stop(true);
      packet.nodes().animate({ position: target }, { duration: still ? 0 : WALK_MILLIS, easing: "ease-in-out" });
    }
  }

  fit(): void {
    this.moved = false;
    this.cy.resize();
    this.cy.fit(this.cy.elements(".node, .host"), this.padding());
    if (this.cy.zoom() > MAX_FIT_ZOOM) {
      this.cy.zoom(MAX_FIT_ZOOM);
      this.cy.center(this.cy.elements(".node, .host"));
    }
  }

  private padding(): number {
    const { width, height } = this.element.getBoundingClientRect();
    return Math.min(FIT_PADDING, FIT_SHARE * Math.min(width, height));
  }

  zoomBy(factor: number): void {
    this.moved = true;
    const { width, height } = this.element.getBoundingClientRect();
    this.cy.zoom({ level: this.cy.zoom() * factor, renderedPosition: { x: width / 2, y: height / 2 } });
  }

  /** Brings things into view if they are not, or are too small to read. */
  reveal(names: readonly string[]): void {
    const found = names.reduce((all, name) => all.union(this.byName(name)), this.cy.collection());
    if (found.empty()) {
      return;
    }
    const box = found.renderedBoundingBox({ includeLabels: false });
    const { width, height } = this.element.getBoundingClientRect();
    if (box.x1 >= 0 && box.y1 >= 0 && box.x2 <= width && box.y2 <= height && this.cy.zoom() >= READABLE_ZOOM) {
      return;
    }
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const change =
      found.length === 1 ? { center: { eles: found }, zoom: 1 } : { fit: { eles: found, padding: this.padding() } };
    this.cy.animate(change, { duration: still ? 0 : 300 });
  }

  /** Puts everything where the description or the layout has it. */
  tidy(): void {
    if (this.view !== undefined) {
      forgetPlaces(this.view);
      this.draw(this.view);
      const view = this.view;
      this.cy.batch(() => this.update(view));
      this.fit();
    }
  }

  /** Moves the keyboard's place to the nearest thing in a direction; a link is where its middle is. */
  step(dx: number, dy: number): void {
    const from = this.atCursor();
    const here = from === undefined ? undefined : placeOf(from);
    let best: { id: string; cost: number } | undefined;
    for (const thing of this.cy.elements(".node, .host, .link").toArray()) {
      const cost = here === undefined ? firstness(thing) : costTo(here, placeOf(thing), dx, dy);
      if (thing.id() !== this.cursor && cost < (best?.cost ?? Infinity)) {
        best = { id: thing.id(), cost };
      }
    }
    if (best !== undefined) {
      this.at(best.id);
    }
  }

  /** What the keyboard is at, unless the network lost it. */
  private atCursor(): Drawn | undefined {
    return this.cursor === undefined ? undefined : this.cy.getElementById(this.cursor).toArray()[0];
  }

  private at(id: string): void {
    this.cy.elements(".cursor").removeClass("cursor");
    this.cursor = id;
    const thing = this.atCursor();
    if (thing === undefined) {
      return;
    }
    thing.addClass("cursor");
    const { x1, y1, x2, y2 } = thing.renderedBoundingBox({ includeLabels: false });
    const { width, height } = this.element.getBoundingClientRect();
    const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
    if (x < 0 || y < 0 || x > width || y > height) {
      this.cy.center(this.cy.getElementById(id));
    }
    this.listener.said(this.spoken(id));
  }

  /** A thing in words, with what its colour says. */
  private spoken(id: string): string {
    const name = nameOf(id);
    const node = this.view?.nodes.get(name);
    const link = this.view?.links.get(name);
    const host = this.view?.hosts.get(name);
    if (id.startsWith("h:")) {
      return `host ${name} at ${host?.at.node ?? "no node"}${host?.up === false ? ", down" : ""}`;
    }
    return id.startsWith("l:")
      ? `link ${link?.a.node ?? ""} to ${link?.b.node ?? ""}${link?.up === false ? ", down" : ""}`
      : `node ${name}${node?.state === "LOST" ? ", lost" : ""}`;
  }

  /** What Enter does. */
  pickCursor(): void {
    const thing = this.atCursor();
    if (thing !== undefined) {
      this.pick(thing.id());
    }
  }

  blur(): void {
    this.cy.elements(".cursor").removeClass("cursor");
    this.cursor = undefined;
  }

  private pick(id: string): void {
    const kind = id.startsWith("h:") ? "host" : id.startsWith("l:") ? "link" : "node";
    this.listener.picked({ kind, name: nameOf(id) });
  }

  private idOf(name: string): string | undefined {
    return [`n:${name}`, `h:${name}`].find((id) => this.cy.getElementById(id).nonempty());
  }

  private byName(name: string) {
    return this.cy.getElementById(this.idOf(name) ?? `l:${name}`);
  }
}

function nameOf(id: string): string {
  return id.slice(2);
}

function sameThings(one: NetworkView, other: NetworkView): boolean {
  const names = (view: NetworkView): string =>
    JSON.stringify([
      [...view.nodes.values()].map((node) => [node.name, node.kind, node.edge, node.location]),
      [...view.links.keys()],
      [...view.hosts.values()].map((host) => [host.name, host.at]),
    ]);
  return names(one) === names(other);
}

function elementsOf(
  view: NetworkView,
  nodes: ReadonlyMap<string, Point>,
  hosts: ReadonlyMap<string, Point>,
  kept: Record<string, Point>,
): ElementDefinition[] {
  const at = (id: string, place: Point | undefined): Point => ({ ...(kept[id] ?? place ?? { x: 0, y: 0 }) });
  return [
    ...[...view.nodes.values()].map((node): ElementDefinition => ({
      group: "nodes",
      data: { id: `n:${node.name}`, label: labelOf(node.name) },
      position: at(`n:${node.name}`, nodes.get(node.name)),
      classes: `node ${node.kind} ${node.edge ? "edge" : "core"}`,
    })),
    ...[...view.hosts.values()].map((host): ElementDefinition => ({
      group: "nodes",
      data: { id: `h:${host.name}`, label: labelOf(host.name) },
      position: at(`h:${host.name}`, hosts.get(host.name)),
      classes: "host",
    })),
    ...[...view.links.values()]
      .filter((link) => view.nodes.has(link.a.node) && view.nodes.has(link.b.node))
      .map((link): ElementDefinition => ({
        group: "edges",
        data: { id: `l:${link.id}`, source: `n:${link.a.node}`, target: `n:${link.b.node}` },
        classes: "link",
      })),
    ...[...view.hosts.values()]
      .filter((host) => view.nodes.has(host.at.node))
      .map((host): ElementDefinition => ({
        group: "edges",
        data: { id: `a:${host.name}`, source: `n:${host.at.node}`, target: `h:${host.name}` },
        classes: "attach",
      })),
  ];
}

/** The busier direction; of each, the sender counts, or the receiver where the sender cannot. */
export function loadOf(link: MapLink, rates: ReadonlyMap<string, Rate>): number {
  const a = rates.get(`${link.a.node}/${link.a.port}`);
  const b = rates.get(`${link.b.node}/${link.b.port}`);
  return Math.max(a?.outBitsPerSecond ?? b?.inBitsPerSecond ?? 0, b?.outBitsPerSecond ?? a?.inBitsPerSecond ?? 0);
}

/** Beside the node, so that its icon stays readable. */
function packetPlace(node: NodeSingular): Point {
  const { x, y } = node.position();
  return { x: x + 21, y: y - 21 };
}

function placeOf(thing: Drawn): Point {
  if (thing.isNode()) {
    return thing.position();
  }
  const [a, b] = [thing.source().position(), thing.target().position()];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

/** The keyboard begins at the upper left, at something that is not a link. */
function firstness(thing: Drawn): number {
  const { x, y } = placeOf(thing);
  return thing.isNode() ? x + y : Infinity;
}

/** Far ahead is better than near aside; behind is nowhere. */
function costTo(here: Point, there: Point, dx: number, dy: number): number {
  const ahead = (there.x - here.x) * dx + (there.y - here.y) * dy;
  const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
  return ahead <= 1 ? Infinity : ahead + 2 * aside;
}
