// SPDX-License-Identifier: Apache-2.0
import type { ElementDefinition } from "cytoscape";
import { clustersOf, CLUSTERED_FROM, type Cluster, type Window } from "../model/cluster";
import { labelOf } from "../model/format";
import { placeHosts, placeNodes } from "../model/layout";
import type { MapHost, MapLink, MapNode, NetworkView, Point } from "../model/network";

/**
 * The elements on the canvas of a network, before anything is drawn over it. Ids carry a prefix, since a node and a
 * host may have the same name: n: h: l: a: (attachment), c: (cluster), g: (the links between two of which one is a
 * cluster).
 */
export interface Scene {
  readonly elements: ReadonlyMap<string, ElementDefinition>;
  /** The nodes of a cluster, by its id. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  /** The links behind each line, by its id. */
  readonly links: ReadonlyMap<string, readonly MapLink[]>;
}

export const NO_SCENE: Scene = { elements: new Map(), members: new Map(), links: new Map() };

/** By id, where everything is that could be drawn. */
export type Places = ReadonlyMap<string, Point>;

/** Where the description, the layout and last the person has put things. */
export function placesOf(view: NetworkView, kept: Readonly<Record<string, Point>>): Map<string, Point> {
  const nodes = placeNodes(view);
  const hosts = placeHosts(view, nodes);
  const at = (id: string, place: Point | undefined): [string, Point] => [id, kept[id] ?? place ?? { x: 0, y: 0 }];
  return new Map([
    ...[...view.nodes.keys()].map((name) => at(`n:${name}`, nodes.get(name))),
    ...[...view.hosts.keys()].map((name) => at(`h:${name}`, hosts.get(name))),
  ]);
}

export function isCrowded(view: NetworkView): boolean {
  return view.nodes.size + view.hosts.size >= CLUSTERED_FROM;
}

/** @param alone the nodes that are drawn by themselves even in a crowd */
export function sceneOf(view: NetworkView, places: Places, window: Window, alone: (name: string) => boolean): Scene {
  const clusters = isCrowded(view) ? clustersOf(spotsOf(view, places), window, alone) : [];
  const clusterOf = new Map(clusters.flatMap((one) => one.members.map((name) => [name, `c:${one.key}`] as const)));
  const idOf = (node: string): string => clusterOf.get(node) ?? `n:${node}`;
  const links = linesOf(view, idOf);
  const hosts = [...view.hosts.values()].filter((host) => !clusterOf.has(host.at.node));
  const elements: ElementDefinition[] = [
    ...[...view.nodes.values()].filter(({ name }) => !clusterOf.has(name)).map((node) => nodeOf(node, places)),
    ...clusters.map(drawnCluster),
    ...hosts.map((host) => hostOf(host, places)),
    ...[...links].map(([id, of]) => lineOf(id, of, idOf)),
    ...hosts.filter((host) => view.nodes.has(host.at.node)).map(attachmentOf),
  ];
  return {
    elements: new Map(elements.map((element) => [element.data.id ?? "", element])),
    members: new Map(clusters.map((one) => [`c:${one.key}`, one.members])),
    links,
  };
}

function spotsOf(view: NetworkView, places: Places) {
  const degrees = new Map<string, number>();
  for (const { a, b } of view.links.values()) {
    degrees.set(a.node, (degrees.get(a.node) ?? 0) + 1);
    degrees.set(b.node, (degrees.get(b.node) ?? 0) + 1);
  }
  return [...view.nodes.keys()].map((name) => ({
    name,
    degree: degrees.get(name) ?? 0,
    ...(places.get(`n:${name}`) ?? { x: 0, y: 0 }),
  }));
}

/** A line per link; of those that end at a cluster, one per pair of ends; of those within one, none. */
function linesOf(view: NetworkView, idOf: (node: string) => string): ReadonlyMap<string, readonly MapLink[]> {
  const lines = new Map<string, MapLink[]>();
  for (const link of view.links.values()) {
    if (view.nodes.has(link.a.node) && view.nodes.has(link.b.node)) {
      const ends = [idOf(link.a.node), idOf(link.b.node)].sort();
      const gathered = ends.some((end) => end.startsWith("c:"));
      const id = gathered ? `g:${ends.join("|")}` : `l:${link.id}`;
      if (!gathered || ends[0] !== ends[1]) {
        lines.set(id, [...(lines.get(id) ?? []), link]);
      }
    }
  }
  return lines;
}

function nodeOf(node: MapNode, places: Places): ElementDefinition {
  const id = `n:${node.name}`;
  return {
    group: "nodes",
    data: { id, label: labelOf(node.name) },
    position: { ...(places.get(id) ?? { x: 0, y: 0 }) },
    classes: `node ${node.kind} ${node.edge ? "edge" : "core"}`,
  };
}

function drawnCluster({ key, hub, members, x, y }: Cluster): ElementDefinition {
  return {
    group: "nodes",
    data: { id: `c:${key}`, label: `${labelOf(hub)} …`, count: members.length },
    position: { x, y },
    grabbable: false,
    classes: "cluster",
  };
}

function hostOf(host: MapHost, places: Places): ElementDefinition {
  const id = `h:${host.name}`;
  return {
    group: "nodes",
    data: { id, label: labelOf(host.name) },
    position: { ...(places.get(id) ?? { x: 0, y: 0 }) },
    classes: "host",
  };
}

function lineOf(id: string, links: readonly MapLink[], idOf: (node: string) => string): ElementDefinition {
  const [first] = links;
  return {
    group: "edges",
    data: { id, source: idOf(first?.a.node ?? ""), target: idOf(first?.b.node ?? "") },
    classes: id.startsWith("g:") ? "gathered" : "link",
  };
}

function attachmentOf(host: MapHost): ElementDefinition {
  return {
    group: "edges",
    data: { id: `a:${host.name}`, source: `n:${host.at.node}`, target: `h:${host.name}` },
    classes: "attach",
  };
}
