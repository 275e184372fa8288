// SPDX-License-Identifier: Apache-2.0

import { clockText } from "./clock";
import type { Contact } from "./contact";
import { rateText } from "./format";
import { strings } from "./strings";

export type NodeKind = "linux" | "p4" | "vpp";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A node as the map and the panels show it. */
export interface MapNode {
  readonly name: string;
  readonly kind: NodeKind;
  /** Hosts are attached. */
  readonly edge: boolean;
  readonly usid: string;
  readonly block: string;
  readonly format: string;
  readonly state: string;
  readonly reason: string;
  /** A warning about it although it works, such as that a certificate expires; "" for none. */
  readonly notice: string;
  /** Since when it answers, or does not. */
  readonly contact: Contact;
  /** Undefined while it has a session. */
  readonly overload: Overload | undefined;
  readonly location: Point | undefined;
}

/** A node without a session to its agent: new paths avoid it. */
export interface Overload {
  readonly since: string;
  /** Installed paths and routes avoid it, too. */
  readonly drained: boolean;
}

export interface End {
  readonly node: string;
  readonly port: number;
}

/** A link with both its directions: one line on the map. */
export interface MapLink {
  readonly id: string;
  readonly a: End;
  readonly b: End;
  /** Both directions are. */
  readonly up: boolean;
  /** The directions that are not: each comes and goes by itself. */
  readonly down: readonly string[];
  /** When each direction that is up again is used, by its id, if it stays up: by the controller's clock. */
  readonly restores: ReadonlyMap<string, string>;
  readonly metric: number;
  readonly mtuBytes: number | undefined;
  /** How fast each direction is, by its id, where that is known: as it is described, else as its nodes say; in kbit/s. */
  readonly speeds: ReadonlyMap<string, number>;
  /** Its speed is described. */
  readonly described: boolean;
  /** One way, as it is described and as nodes measure it: the longer of both directions. */
  readonly delayMicros: number | undefined;
  readonly measuredDelayMicros: number | undefined;
}

export interface MapHost {
  readonly name: string;
  readonly at: End;
  readonly up: boolean;
  readonly addresses: readonly string[];
}

export interface NetworkView {
  readonly nodes: ReadonlyMap<string, MapNode>;
  readonly links: ReadonlyMap<string, MapLink>;
  readonly hosts: ReadonlyMap<string, MapHost>;
}

export const EMPTY: NetworkView = { nodes: new Map(), links: new Map(), hosts: new Map() };

/** The part of the interface's topology that is needed here; the generated types fit it. */
export interface TopologySource {
  readonly nodes: readonly {
    readonly name: string;
    readonly overloadedSince?: string;
    readonly drained?: boolean;
    readonly pipeconf: string;
    readonly ports: readonly { readonly number: number; readonly up: boolean }[];
    readonly srv6?: { readonly block: string; readonly format: string; readonly uSid: string };
    readonly location?: { readonly x: number; readonly y: number };
  }[];
  readonly links: readonly {
    readonly id: string;
    readonly up: boolean;
    readonly restores?: string;
    readonly from: End;
    readonly to: End;
    readonly igpMetric: number;
    readonly mtuBytes?: number;
    readonly capacityKbps?: number;
    readonly speedKbps?: number;
    readonly delayMicros?: number;
    readonly measuredDelayMicros?: number;
  }[];
  readonly hosts: readonly {
    readonly name: string;
    readonly node: string;
    readonly port: number;
    readonly addresses: readonly string[];
  }[];
}

export interface StateSource {
  readonly name: string;
  readonly state: string;
  readonly reason?: string;
  readonly notice?: string;
  readonly since?: string;
  readonly lastSeen?: string;
}

export function viewOf(topology: TopologySource, states: readonly StateSource[]): NetworkView {
  const stateOf = new Map(states.map((state) => [state.name, state]));
  const edges = new Set(topology.hosts.map((host) => host.node));
  const ports = new Map(topology.nodes.flatMap((n) => n.ports.map((p) => [`${n.name}/${p.number}`, p.up] as const)));
  return {
    nodes: new Map(
      topology.nodes.map((node) => [
        node.name,
        {
          name: node.name,
          kind: kindOf(node.pipeconf),
          edge: edges.has(node.name),
          usid: node.srv6?.uSid ?? "",
          block: node.srv6?.block ?? "",
          format: node.srv6?.format ?? "",
          state: stateOf.get(node.name)?.state ?? "LOST",
          reason: stateOf.get(node.name)?.reason ?? "",
          notice: stateOf.get(node.name)?.notice ?? "",
          contact: contactOf(stateOf.get(node.name)),
          overload: overloadOf(node),
          location: node.location,
        },
      ]),
    ),
    links: linksOf(topology),
    hosts: new Map(
      topology.hosts.map((host) => [
        host.name,
        {
          name: host.name,
          at: { node: host.node, port: host.port },
          up: ports.get(`${host.node}/${host.port}`) ?? true,
          addresses: host.addresses,
        },
      ]),
    ),
  };
}

function contactOf(told: StateSource | undefined): Contact {
  return { since: told?.since, lastSeen: told?.lastSeen };
}

interface OverloadSource {
  readonly overloadedSince?: string;
  readonly drained?: boolean;
}

function overloadOf({ overloadedSince, drained }: OverloadSource): Overload | undefined {
  return overloadedSince === undefined ? undefined : { since: overloadedSince, drained: drained ?? false };
}

/** The effect of a node's overload on paths; "" if it is not overloaded. */
export function overloadText({ overload }: Pick<MapNode, "overload">, now: number): string {
  if (overload === undefined) {
    return "";
  }
  const since = clockText(overload.since, now);
  return overload.drained ? strings.drained(since) : strings.overloaded(since);
}

export function kindOf(pipeconf: string): NodeKind {
  return pipeconf.includes("bmv2") ? "p4" : pipeconf.includes("vpp") ? "vpp" : "linux";
}

function linksOf(topology: TopologySource): ReadonlyMap<string, MapLink> {
  const links = new Map<string, MapLink>();
  for (const link of topology.links) {
    const id = mapLinkId(link.id);
    const other = links.get(id);
    links.set(id, {
      id,
      a: other?.a ?? link.from,
      b: other?.b ?? link.to,
      ...withDirection(other, link),
      metric: other?.metric ?? link.igpMetric,
      mtuBytes: smaller(other?.mtuBytes, link.mtuBytes),
      speeds: new Map([
        ...(other?.speeds ?? []),
        ...[link.capacityKbps ?? link.speedKbps].flatMap((kbps) =>
          kbps === undefined ? [] : [[link.id, kbps] as const],
        ),
      ]),
      described: (other?.described ?? false) || link.capacityKbps !== undefined,
      delayMicros: larger(other?.delayMicros, link.delayMicros),
      measuredDelayMicros: larger(other?.measuredDelayMicros, link.measuredDelayMicros),
    });
  }
  return links;
}

interface DirectionSource {
  readonly id: string;
  readonly up: boolean;
  readonly restores?: string;
}

function withDirection(
  before: Pick<MapLink, "down" | "restores"> | undefined,
  { id, up, restores }: DirectionSource,
): Pick<MapLink, "up" | "down" | "restores"> {
  const others = (before?.down ?? []).filter((one) => one !== id);
  const waiting = [...(before?.restores ?? [])].filter(([one]) => one !== id);
  return {
    up: up && others.length === 0,
    down: up ? others : [...others, id],
    restores: new Map(restores === undefined ? waiting : [...waiting, [id, restores]]),
  };
}

/**
 * The state of a link in a word or two. For a link that is up again and not used yet it has the time until then, if each direction that is down waits.
 *
 * @param now the time of the controller's clock, in milliseconds
 */
export function linkText({ up, down, restores }: Pick<MapLink, "up" | "down" | "restores">, now: number): string {
  if (up) {
    return strings.up;
  }
  const due = down.map((id) => Date.parse(restores.get(id) ?? ""));
  const seconds = Math.ceil((Math.max(...due) - now) / 1000);
  return Number.isNaN(seconds) ? strings.down : strings.restores(Math.max(0, seconds));
}

/** The packet size that fits through both, as far as it is known. */
function smaller(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

function larger(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

/** How fast a link is, in each direction if they differ, and the source of that. */
export function speedText({ speeds, described }: Pick<MapLink, "speeds" | "described">): string {
  const texts = [...new Set([...speeds.values()].map((kbps) => rateText(kbps * 1000)))];
  return texts.length === 0 ? strings.unknown : strings.speed(texts, described);
}

/** Which delay of a link counts, and which is described instead. */
export function delayText({
  delayMicros,
  measuredDelayMicros,
}: Pick<MapLink, "delayMicros" | "measuredDelayMicros">): string {
  const described = delayMicros === undefined ? strings.unknown : strings.micros(delayMicros);
  return measuredDelayMicros === undefined ? described : strings.measuredDelay(measuredDelayMicros, described);
}

/** The line on the map that a direction "l1/1-l2/1" belongs to: both directions have the same. */
export function mapLinkId(directed: string): string {
  const [from = "", to = ""] = endsOf(directed);
  return from <= to ? `${from}-${to}` : `${to}-${from}`;
}

/** "l1/1-l2/1" to its two ends; names of nodes may have hyphens of their own. */
export function endsOf(directed: string): readonly string[] {
  const match = /^(.*\/\d+)-(.*\/\d+)$/.exec(directed);
  return match === null ? [directed] : [match[1] ?? "", match[2] ?? ""];
}

/** The same network with other states; things without news stay as they are. */
export function withStates(
  view: NetworkView,
  news: {
    readonly nodes: readonly StateSource[];
    readonly links: readonly DirectionSource[];
    readonly ports: readonly { readonly node: string; readonly port: number; readonly up: boolean }[];
    readonly overloads?: readonly (OverloadSource & { readonly name: string })[];
  },
): NetworkView {
  const nodes = new Map(view.nodes);
  for (const told of news.nodes) {
    const node = nodes.get(told.name);
    if (node !== undefined) {
      nodes.set(told.name, { ...node, state: told.state, reason: told.reason ?? "", contact: contactOf(told) });
    }
  }
  for (const told of news.overloads ?? []) {
    const node = nodes.get(told.name);
    if (node !== undefined) {
      nodes.set(told.name, { ...node, overload: overloadOf(told) });
    }
  }
  const links = new Map(view.links);
  for (const told of news.links) {
    const id = mapLinkId(told.id);
    const link = links.get(id);
    if (link !== undefined) {
      links.set(id, { ...link, ...withDirection(link, told) });
    }
  }
  const hosts = new Map(view.hosts);
  for (const told of news.ports) {
    for (const host of view.hosts.values()) {
      if (host.at.node === told.node && host.at.port === told.port) {
        hosts.set(host.name, { ...host, up: told.up });
      }
    }
  }
  return { nodes, links, hosts };
}
