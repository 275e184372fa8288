// SPDX-License-Identifier: Apache-2.0
import cytoscape, { type Core, type NodeCollection, type NodeSingular } from "cytoscape";
import { rateText, widthOf } from "../model/format";
import { loadOf, type Rate } from "../model/load";
import type { MapLink, NetworkView, Point } from "../model/network";
import type { Picture, Thing } from "../state/picture";
import { Drawing } from "./Drawing";
import { Labels, type Shown } from "./Labels";
import { Paced } from "./Paced";
import { paletteOf, type Palette } from "./palette";
import { forgetPlaces, keepPlaces, keptPlaces } from "./places";
import { isCrowded, NO_SCENE, placesOf, sceneOf, type Scene } from "./scene";
import { nextOf, type Drawn } from "./steps";
import { styleOf, TARGET_PIXELS, WIDTHS } from "./style";
import {
  fitting,
  hostSpread,
  iconSize,
  isClear,
  marginsBeside,
  spreadFrom,
  type Box,
  type Margins,
  type Viewport,
} from "./view";
import { spokenOf, troublesOf } from "./words";

/**
 * The network drawn on a canvas. It receives the network, its state, and the drawings over it; it reports picked
 * things. {@link Scene} defines the elements on the canvas, and their ids.
 */

const READABLE_ZOOM = 0.45;
const NEAR_ZOOM = 1;
/** Sizes follow the zoom in steps of so much. */
const RESIZED_FROM = 1.12;
/** The pause in moving the map before clusters open or close. */
const CALM_MILLIS = 90;
const OPEN_MILLIS = 250;
/** Widths of lines that carry something are of so many kinds: else every reading would be drawn anew. */
const WIDTHS_PER_PIXEL = 2;
/** The places of hosts and the visible part depend on each other: so often one follows the other. */
const FIT_ROUNDS = 3;
/** Each takes about half a millisecond to be drawn anew, on two cores without a graphics card. */
const CARRIED_PER_FRAME = 24;
const THINGS = ".node, .host, .link, .cluster, .gathered";

// It warns of lines that are too short to be drawn, such as where two things were dragged onto each other.
cytoscape.warnings(false);

export interface MapListener {
  picked(thing: Thing): void;
  /** The thing at the keyboard's cursor, in words. */
  said(text: string): void;
  /** How many pixels at the lower edge of the canvas are hidden. */
  covered(): number;
  /** The boxes that cover the left and the upper edge. */
  over(): readonly Box[];
}

export class NetworkMap {
  readonly cy: Core;
  private palette: Palette;
  private readonly labels: Labels;
  private readonly drawing: Drawing;
  private view: NetworkView | undefined;
  /** Where everything is, also the things that a cluster hides. */
  private places = new Map<string, Point>();
  private scene: Scene = NO_SCENE;
  /** The last state of each element, so that only changes are written. */
  private said = new Map<string, string>();
  private rates: ReadonlyMap<string, Rate> = new Map();
  private readonly carried = new Map<string, string>();
  private readonly carrying = new Paced(CARRIED_PER_FRAME, (some: readonly (readonly [string, readonly MapLink[]])[]) =>
    this.carrySome(some),
  );
  private cursor: string | undefined;
  /** A person chose the visible part; until then, everything is visible. */
  private moved = false;
  /** The zoom that sizes were made for. */
  private sizedFor = 1;
  private calm: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly element: HTMLElement,
    private readonly listener: MapListener,
  ) {
    this.palette = paletteOf(element);
    this.cy = cytoscape({
      container: element,
      style: styleOf(this.palette, { icon: 1, line: 1 }),
      minZoom: 0.02,
      maxZoom: 6,
      boxSelectionEnabled: false,
      autounselectify: true,
    });
    this.labels = new Labels(this.cy, element, this.palette, this.carried);
    this.drawing = new Drawing(this.cy);
    this.listen();
  }

  private listen(): void {
    this.cy.on("tap", (event) => this.tapped(event.target as Drawn | Core, event.renderedPosition));
    this.cy.on("dragpan scrollzoom pinchzoom", () => {
      this.moved = true;
    });
    this.cy.on("viewport", () => this.viewportChanged());
    this.cy.on("mouseover", THINGS, () => this.element.classList.add("over"));
    this.cy.on("mouseout", THINGS, () => this.element.classList.remove("over"));
    this.cy.on("mousemove", (event) => this.drawing.pointAt(event.position));
    this.element.addEventListener("pointerleave", () => this.drawing.pointAt(undefined));
    this.cy.on("grab", ".node", (event) => this.takeHostsAlong(event.target as NodeSingular));
    this.cy.on("dragfree", ".node, .host", (event) => this.dropped(event.target as NodeSingular));
  }

  /** The canvas has another size. */
  resized(): void {
    this.cy.resize();
    if (this.moved) {
      this.regroup();
    } else {
      this.fit();
    }
  }

  destroy(): void {
    clearTimeout(this.calm);
    this.carrying.stop();
    this.cy.destroy();
  }

  /** The page has other colours. */
  recolour(): void {
    this.palette = paletteOf(this.element);
    this.labels.recolour(this.palette);
    this.resize();
  }

  /** Makes sizes for the zoom that there is. */
  private resize(): void {
    this.sizedFor = this.cy.zoom();
    const line = 1 / this.sizedFor;
    this.cy.style(styleOf(this.palette, { icon: iconSize(this.sizedFor) * line, line }));
    this.drawing.unit = line;
    this.spreadHosts();
  }

  private spreadHosts(): void {
    const factor = hostSpread(this.sizedFor);
    this.cy.batch(() => {
      this.cy.nodes(".host").positions((host) => this.hostPlace(host.id(), factor));
    });
  }

  private hostPlace(id: string, factor: number): Point {
    const place = this.places.get(id) ?? { x: 0, y: 0 };
    const node = this.places.get(`n:${this.view?.hosts.get(id.slice(2))?.at.node ?? ""}`);
    return node === undefined ? { ...place } : spreadFrom(node, place, factor);
  }

  /** The names that can be read, and where. */
  read(): readonly Shown[] {
    return this.labels.read();
  }

  /** Draws a network; where only states changed, nothing moves. */
  show(view: NetworkView): void {
    const before = this.view;
    if (before === view) {
      return;
    }
    this.view = view;
    if (before === undefined || !sameThings(before, view)) {
      this.place(view, before === undefined || before.nodes.size === 0);
    } else {
      this.update();
    }
  }

  private place(view: NetworkView, first: boolean): void {
    this.places = placesOf(view, keptPlaces(view));
    this.clear();
    if (first || !this.moved) {
      this.fit();
    } else {
      this.regroup();
    }
  }

  private clear(): void {
    this.carrying.stop();
    this.cy.elements().remove();
    this.scene = NO_SCENE;
    this.said.clear();
    this.drawing.forget();
  }

  /** Puts the elements that belong to the present view on the canvas; those that are there already stay. */
  private regroup(): void {
    if (this.view === undefined) {
      return;
    }
    const { x1, y1, x2, y2 } = this.cy.extent();
    const alone = this.drawing.names();
    const scene = sceneOf(this.view, this.places, { x1, y1, x2, y2, zoom: this.cy.zoom() }, (name) => alone.has(name));
    const before = this.scene;
    this.scene = scene;
    const gone = [...before.elements].filter(([id, element]) => !isSame(scene.elements.get(id), element));
    const come = [...scene.elements].filter(([id, element]) => !isSame(before.elements.get(id), element));
    this.cy.batch(() => {
      gone.forEach(([id]) => {
        this.cy.getElementById(id).remove();
        this.said.delete(id);
      });
      this.cy.add(come.map(([, element]) => structuredClone(element)));
    });
    if (gone.length > 0 || come.length > 0) {
      this.spreadHosts();
      this.drawing.redraw();
    }
    this.update();
    this.carry(this.rates);
  }

  private update(): void {
    const { view, scene } = this;
    if (view === undefined) {
      return;
    }
    this.cy.batch(() => {
      for (const [id, element] of scene.elements) {
        const trouble = troublesOf(id, view, scene);
        if (this.said.get(id) !== trouble) {
          this.said.set(id, trouble);
          const drawn = this.cy.getElementById(id);
          const label = String(element.data.label ?? "");
          drawn.toggleClass(drawn.is(".node, .cluster") ? "lost" : "down", trouble !== "");
          drawn.data("label", drawn.is(".node, .cluster") && trouble !== "" ? `${label}\n${trouble}` : label);
        }
      }
    });
  }

  /** Widths of links by their traffic; a side that cannot count is taken from the other side. */
  carry(rates: ReadonlyMap<string, Rate>): void {
    this.rates = rates;
    this.carrying.start([...this.scene.links]);
  }

  private carrySome(some: readonly (readonly [string, readonly MapLink[]])[]): void {
    this.cy.batch(() => {
      for (const [id, links] of some) {
        const bits = Math.max(...links.map((link) => (link.up ? loadOf(link, this.rates) : 0)));
        const width = Math.round(widthOf(bits) * WIDTHS_PER_PIXEL) / WIDTHS_PER_PIXEL;
        const drawn = this.cy.getElementById(id);
        if (width === 0) {
          this.carried.delete(id);
          if (drawn.hasClass("busy")) {
            drawn.removeClass("busy");
          }
        } else {
          this.carried.set(id, rateText(bits));
          if (!drawn.hasClass("busy") || drawn.data("width") !== WIDTHS.link + width) {
            drawn.data("width", WIDTHS.link + width).addClass("busy");
          }
        }
      }
    });
    this.cy.forceRender();
  }

  /** Draws an app's picture over the network. */
  draft(picture: Picture): void {
    const crowded = this.view !== undefined && isCrowded(this.view);
    this.drawing.draft(picture, crowded ? () => this.regroup() : () => undefined);
  }

  fit(): void {
    this.moved = false;
    this.cy.resize();
    const viewport = this.viewportBeside(this.listener.over());
    this.cy.viewport({ ...viewport, pan: { ...viewport.pan } });
    this.settle();
  }

  /** As large as it may be with nothing under a button; with all margins where none of them is enough. */
  private viewportBeside(over: readonly Box[]): Viewport {
    const all = marginsBeside(over, this.size()).map((margins) => this.viewportWithin(margins));
    const clear = all.filter((viewport) => isClear(this.shownPlaces(viewport.zoom), viewport, over));
    return clear.toSorted((one, other) => other.zoom - one.zoom)[0] ?? (all.at(-1) as Viewport);
  }

  private viewportWithin(margins: Margins): Viewport {
    const covered = this.listener.covered();
    let viewport = fitting([...this.places.values()], this.size(), covered, undefined, margins);
    for (let round = 0; round < FIT_ROUNDS; round++) {
      viewport = fitting(this.shownPlaces(viewport.zoom), this.size(), covered, undefined, margins);
    }
    return viewport;
  }

  private shownPlaces(zoom: number): readonly Point[] {
    const factor = hostSpread(zoom);
    return [...this.places].map(([id, place]) => (id.startsWith("h:") ? this.hostPlace(id, factor) : place));
  }

  private size(): { width: number; height: number } {
    return { width: this.cy.width(), height: this.cy.height() };
  }

  zoomBy(factor: number): void {
    this.moved = true;
    const { width, height } = this.size();
    this.cy.zoom({ level: this.cy.zoom() * factor, renderedPosition: { x: width / 2, y: height / 2 } });
  }

  private viewportChanged(): void {
    const factor = this.cy.zoom() / this.sizedFor;
    if (factor > RESIZED_FROM || factor < 1 / RESIZED_FROM) {
      this.resize();
    }
    if (this.view !== undefined && isCrowded(this.view)) {
      clearTimeout(this.calm);
      this.calm = setTimeout(() => this.regroup(), CALM_MILLIS);
    }
  }

  /** All that follows the viewport, at once. */
  private settle(): void {
    clearTimeout(this.calm);
    this.resize();
    this.regroup();
  }

  /** Brings things into view if they are not, or are far off in a crowd. */
  reveal(names: readonly string[]): void {
    const points = names.flatMap((name) => this.pointsOf(name));
    if (points.length === 0) {
      return;
    }
    const { x1, y1, x2, y2 } = this.cy.extent();
    const seen = points.every(({ x, y }) => x >= x1 && x <= x2 && y >= y1 && y <= y2);
    const far = this.view !== undefined && isCrowded(this.view) && this.cy.zoom() < READABLE_ZOOM;
    if (!seen || far) {
      this.look(points);
    }
  }

  private look(points: readonly Point[]): void {
    this.moved = true;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const viewport = fitting(points, this.size(), this.listener.covered(), NEAR_ZOOM);
    this.cy.stop().animate({ ...viewport, pan: { ...viewport.pan } }, { duration: still ? 0 : OPEN_MILLIS });
  }

  private pointsOf(name: string): readonly Point[] {
    const link = this.view?.links.get(name);
    const ids = link === undefined ? [`n:${name}`, `h:${name}`] : [`n:${link.a.node}`, `n:${link.b.node}`];
    const points = ids.flatMap((id) => this.places.get(id) ?? []);
    return link === undefined ? points.slice(0, 1) : points;
  }

  /** Puts everything where the description or the layout has it. */
  tidy(): void {
    if (this.view !== undefined) {
      forgetPlaces(this.view);
      this.moved = false;
      this.place(this.view, true);
    }
  }

  private takeHostsAlong(node: NodeSingular): void {
    const hosts = hostsOf(node);
    let before = { ...node.position() };
    const follow = (): void => {
      const now = node.position();
      hosts.shift({ x: now.x - before.x, y: now.y - before.y });
      before = { ...now };
    };
    node.on("drag", follow);
    node.one("free", () => node.off("drag", undefined, follow));
  }

  private dropped(thing: NodeSingular): void {
    if (this.view !== undefined) {
      const factor = 1 / hostSpread(this.sizedFor);
      const node = thing.hasClass("node") ? thing : thing.connectedEdges(".attach").connectedNodes(".node").nodes()[0];
      const moved: Record<string, Point> = { [thing.id()]: { ...thing.position() } };
      for (const host of node === undefined ? [] : hostsOf(node).union(thing).nodes(".host").toArray()) {
        moved[host.id()] = spreadFrom(node?.position() ?? host.position(), host.position(), factor);
      }
      Object.entries(moved).forEach(([id, place]) => this.places.set(id, place));
      keepPlaces(this.view, moved);
      this.drawing.redraw();
    }
  }

  /** Moves the keyboard's place to the nearest thing in a direction. */
  step(dx: number, dy: number): void {
    const next = nextOf(this.cy.elements(THINGS).toArray(), this.atCursor(), dx, dy);
    if (next !== undefined) {
      this.at(next);
    }
  }

  /** The thing at the keyboard's cursor, unless the network lost it. */
  private atCursor(): Drawn | undefined {
    return this.cursor === undefined ? undefined : this.cy.getElementById(this.cursor).toArray()[0];
  }

  private at(thing: Drawn): void {
    this.cy.elements(".cursor").removeClass("cursor");
    this.cursor = thing.id();
    thing.addClass("cursor");
    const { x1, y1, x2, y2 } = thing.renderedBoundingBox({ includeLabels: false });
    const { width, height } = this.size();
    const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
    if (x < 0 || y < 0 || x > width || y > height) {
      this.cy.center(this.cy.getElementById(this.cursor));
    }
    if (this.view !== undefined) {
      this.listener.said(spokenOf(this.cursor, this.view, this.scene));
    }
  }

  /** The action of Enter. */
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

  /** Small things are picked by a click near them: a host is a dot. */
  private tapped(target: Drawn | Core, { x, y }: Point): void {
    const hit = target === this.cy ? undefined : (target as Drawn);
    const near = hit?.isNode() === true ? hit : this.nearest(x, y);
    const thing = near ?? hit;
    if (thing?.is(THINGS) === true) {
      this.pick(thing.id());
    }
  }

  private nearest(x: number, y: number): Drawn | undefined {
    const nodes = this.cy.nodes(THINGS).toArray();
    const within = nodes.filter((node) => {
      const place = node.renderedPosition();
      const reach = Math.max(TARGET_PIXELS, node.renderedWidth()) / 2;
      return Math.abs(place.x - x) <= reach && Math.abs(place.y - y) <= reach;
    });
    const from = (node: NodeSingular): number => {
      const place = node.renderedPosition();
      return Math.hypot(place.x - x, place.y - y);
    };
    return within.sort((one, other) => from(one) - from(other))[0];
  }

  private pick(id: string): void {
    const name = id.slice(2);
    if (id.startsWith("c:")) {
      this.look((this.scene.members.get(id) ?? []).flatMap((member) => this.places.get(`n:${member}`) ?? []));
    } else if (id.startsWith("g:")) {
      const links = this.scene.links.get(id) ?? [];
      this.look(links.flatMap(({ a, b }) => [a, b]).flatMap((end) => this.places.get(`n:${end.node}`) ?? []));
    } else {
      this.listener.picked({ kind: id.startsWith("h:") ? "host" : id.startsWith("l:") ? "link" : "node", name });
    }
  }
}

function hostsOf(node: NodeSingular): NodeCollection {
  return node.connectedEdges(".attach").connectedNodes(".host");
}

/** A cluster of other nodes may have the same square; all else is determined by its id. */
function isSame(one: cytoscape.ElementDefinition | undefined, other: cytoscape.ElementDefinition): boolean {
  return (
    one !== undefined &&
    one.data.source === other.data.source &&
    one.data.target === other.data.target &&
    one.data["count"] === other.data["count"] &&
    one.classes === other.classes &&
    (other.classes !== "cluster" || (one.position?.x === other.position?.x && one.position?.y === other.position?.y))
  );
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
