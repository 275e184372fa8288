// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";

/** The drawings of the open panel over the map, and its handling of clicks. Each app sets it; none knows the map. */
export interface Picture {
  readonly paths: readonly PathLine[];
  /** Where the packet of a walk is. */
  readonly packet?: PacketPlace;
  /** Numbered stops, such as the nodes of a path that is being made. */
  readonly stops: readonly string[];
  /** Nodes that something waits for. */
  readonly waiting?: readonly string[];
  /** Nodes that a controller of the cluster acts for, of the one that is looked at. */
  readonly held?: readonly string[];
  /** Nodes that no controller acts for. */
  readonly unattended?: readonly string[];
  /** Nodes and links that are thought to be lost, though they are there. */
  readonly lost?: readonly string[];
  /** The node, host or link that is looked at. */
  readonly selected?: string;
  /** The action of a click; without it a click opens the clicked thing. */
  readonly pick?: (thing: Thing) => void;
}

/** So many paths have colours of their own (theme.css, path0 and so on). */
export const SIDE_BY_SIDE = 6;

/** One way of packets over the map. */
export interface PathLine {
  readonly id: string;
  /** The way that is looked at, the one that answers it, or another of the same traffic. */
  readonly look: "forward" | "back" | "other";
  /**
   * The place of a path among those side by side, below {@link SIDE_BY_SIDE}, so that it has a colour of its own and
   * hides none.
   */
  readonly beside?: number;
  /** Nothing comes over it although something should. */
  readonly silent?: boolean;
  /** It leads out of the domain: packets over it reach SIDs and have sources of the domain only where it is open. */
  readonly outside?: "open" | "closed";
  /** Nothing comes over it unless something else is lost. */
  readonly standby?: boolean;
  /** Nothing comes over it: it is wanted and not taken, or about to be left. */
  readonly ghost?: boolean;
  readonly hops: readonly PathHop[];
}

/** Between two things that are on the map. */
export interface PathHop {
  readonly from: string;
  readonly to: string;
}

export interface PacketPlace {
  readonly at: string;
  readonly next: string | undefined;
}

export interface Thing {
  readonly kind: "node" | "host" | "link";
  readonly name: string;
}

export const NOTHING: Picture = { paths: [], stops: [] };

export const picture = signal<Picture>(NOTHING);
/** Asks the map to bring something into view. */
export const wanted = signal<{ readonly names: readonly string[]; readonly serial: number }>({ names: [], serial: 0 });

export function bringIntoView(...names: readonly string[]): void {
  wanted.value = { names, serial: wanted.value.serial + 1 };
}
