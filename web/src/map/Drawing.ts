// SPDX-License-Identifier: Apache-2.0
import type { Core, ElementDefinition, NodeSingular } from "cytoscape";
import type { Point } from "../model/network";
import { NOTHING, type PathLine, type Picture } from "../state/picture";

const PACKET = "packet";
const TIP = "tip";
const MARKS = ["stop", "waiting", "held", "unattended", "selected", "simulated"];
/** So many nodes that are marked alike leave their clusters: more of them would leave no clusters. */
const MOST_OUT_OF_CLUSTERS = 60;
const WALK_MILLIS = 420;
/** The packet is beside the node, so that its icon stays readable. */
const ASIDE_PIXELS = 21;

/**
 * The drawings of an app over the network: paths, stops, a packet on its path, and the line that grows while one
 * clicks.
 */
export class Drawing {
  /** How many units of the plane a pixel has. */
  unit = 1;
  private shown: Picture = NOTHING;
  private drawn: Picture | undefined;

  constructor(private readonly cy: Core) {}

  /** Names of all that is drawn over, to be seen even in a crowd; but for a crowd of nodes that are marked alike. */
  names(): ReadonlySet<string> {
    const { paths, stops, waiting = [], held = [], unattended = [], lost = [], selected, packet } = this.shown;
    return new Set([
      ...paths.flatMap((path) => path.hops.flatMap(({ from, to }) => [from, to])),
      ...stops,
      ...waiting,
      ...[held, unattended, lost].filter(({ length }) => length <= MOST_OUT_OF_CLUSTERS).flat(),
      ...[selected, packet?.at].filter((name) => name !== undefined),
    ]);
  }

  /** The canvas was emptied. */
  forget(): void {
    this.drawn = undefined;
  }

  /** The same on other elements. */
  redraw(): void {
    this.cy.edges(".path").remove();
    this.drawn = undefined;
    this.draft(this.shown, () => undefined);
  }

  /** @param ground brings the layer below onto the canvas */
  draft(picture: Picture, ground: () => void): void {
    this.shown = picture;
    ground();
    const before = this.drawn;
    this.drawn = picture;
    this.cy.batch(() => {
      if (before?.paths !== picture.paths) {
        this.cy.edges(".path").remove();
        this.cy.add(picture.paths.flatMap((path) => this.pathEdges(path)));
      }
      this.cy.elements(MARKS.map((mark) => `.${mark}`).join()).removeClass(MARKS.join(" "));
      picture.stops.forEach((name) => this.byName(name).addClass("stop"));
      picture.waiting?.forEach((name) => this.byName(name).addClass("waiting"));
      picture.held?.forEach((name) => this.byName(name).addClass("held"));
      picture.unattended?.forEach((name) => this.byName(name).addClass("unattended"));
      picture.lost?.forEach((name) => this.byName(name).addClass("simulated"));
      if (picture.selected !== undefined) {
        this.byName(picture.selected).addClass("selected");
      }
      this.grow(picture);
    });
    this.placePacket(before, picture);
  }

  private pathEdges(path: PathLine): ElementDefinition[] {
    const looks = [
      "path",
      path.look,
      ...(path.beside === undefined ? [] : [`beside${path.beside}`]),
      ...(path.silent === true ? ["silent"] : []),
      ...(path.standby === true ? ["standby"] : []),
      ...(path.ghost === true ? ["ghost"] : []),
      ...(path.outside === undefined ? [] : ["outside", path.outside]),
    ];
    return path.hops.flatMap((hop, i) => {
      const short = [hop.from, hop.to].some((name) => this.idOf(name)?.startsWith("h:") === true);
      const classes = [...looks, ...(short ? ["tohost"] : [])].join(" ");
      return this.edge(`path:${path.id}:${i}`, hop.from, hop.to, classes, `${hop.from}>${hop.to}`);
    });
  }

  private edge(id: string, from: string, to: string, classes: string, hop = ""): ElementDefinition[] {
    const [source, target] = [this.idOf(from), this.idOf(to)];
    return source === undefined || target === undefined || source === target
      ? []
      : [{ group: "edges", data: { id, source, target, hop }, classes }];
  }

  /** While something is chosen click by click and there is no answer yet, a line goes from choice to choice. */
  private grow({ pick, stops, paths }: Picture): void {
    this.cy.edges(".growing").remove();
    if (pick === undefined || paths.length > 0) {
      this.cy.getElementById(TIP).remove();
      return;
    }
    const named = stops.filter((name) => this.idOf(name) !== undefined);
    this.cy.add(named.slice(1).flatMap((to, i) => this.edge(`growing:${i}`, named[i] ?? "", to, "growing")));
    this.leadToPointer(named.at(-1));
  }

  /** From the last choice to the pointer, once it moves over the canvas. */
  private leadToPointer(last: string | undefined): void {
    const source = last === undefined ? undefined : this.idOf(last);
    const tip = this.cy.getElementById(TIP);
    if (source === undefined) {
      tip.remove();
    } else if (tip.nonempty()) {
      this.cy.add({ group: "edges", data: { id: "growing:tip", source, target: TIP }, classes: "growing" });
    }
  }

  /** @param place where the pointer is on the plane; undefined where it left the canvas */
  pointAt(place: Point | undefined): void {
    const { pick, stops, paths } = this.shown;
    const tip = this.cy.getElementById(TIP);
    if (place === undefined) {
      tip.remove();
    } else if (pick === undefined || paths.length > 0 || stops.every((name) => this.idOf(name) === undefined)) {
      return;
    } else if (tip.nonempty()) {
      tip.nodes().positions(() => ({ ...place }));
    } else {
      this.cy.add({ group: "nodes", data: { id: TIP }, position: { ...place }, classes: "tip", grabbable: false });
      this.leadToPointer(stops.findLast((name) => this.idOf(name) !== undefined));
    }
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
    const { x, y } = (at.nodes()[0] as NodeSingular).position();
    const target = { x: x + ASIDE_PIXELS * this.unit, y: y - ASIDE_PIXELS * this.unit };
    const packet = this.cy.getElementById(PACKET);
    if (packet.empty()) {
      this.cy.add({ group: "nodes", data: { id: PACKET }, position: target, classes: "packet", grabbable: false });
    } else if (before === undefined) {
      packet.nodes().positions(() => target);
    } else if (before.packet?.at !== place.at) {
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      packet.stop(true);
      packet.nodes().animate({ position: target }, { duration: still ? 0 : WALK_MILLIS, easing: "ease-in-out" });
    }
  }

  private idOf(name: string): string | undefined {
    return [`n:${name}`, `h:${name}`].find((id) => this.cy.getElementById(id).nonempty());
  }

  private byName(name: string) {
    return this.cy.getElementById(this.idOf(name) ?? `l:${name}`);
  }
}
