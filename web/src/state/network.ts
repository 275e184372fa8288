// SPDX-License-Identifier: Apache-2.0
import { batch, signal } from "@preact/signals";
import { answer, northbound, type News } from "../api/client";
import { follow } from "../api/news";
import { EMPTY, viewOf, withStates, type NetworkView } from "../model/network";
import { logOut } from "./session";

/** What a port carries now. */
export interface Rate {
  readonly inBitsPerSecond: number;
  readonly outBitsPerSecond: number;
}

export const network = signal<NetworkView>(EMPTY);
/** By "node/port"; only ports of nodes that count. */
export const traffic = signal<ReadonlyMap<string, Rate>>(new Map());
/** News arrive. */
export const live = signal(false);
/** The network was looked at once. */
export const loaded = signal(false);
/** Grows whenever tables of a node were written. */
export const writes = signal<ReadonlyMap<string, number>>(new Map());

/** Who else wants to hear the news, such as an app about its intents. */
type Listener = (name: keyof News, data: unknown) => void;
const listeners = new Set<Listener>();

export function onNews(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Follows the controller until aborted. */
export function watch(stop: AbortSignal): void {
  void follow(
    {
      live(isLive) {
        live.value = isLive;
      },
      refused: logOut,
      news(name, data) {
        take(name, data);
        listeners.forEach((listener) => listener(name, data));
      },
    },
    stop,
  );
}

function take<Name extends keyof News>(name: Name, data: News[Name]): void {
  if (name === "network") {
    void look();
  } else if (name === "status") {
    const status = data as News["status"];
    batch(() => {
      network.value = withStates(network.value, status);
      forgetRates(status.nodes.filter((node) => node.state === "LOST").map((node) => node.name));
    });
  } else if (name === "traffic") {
    const rates = new Map(traffic.value);
    (data as News["traffic"]).ports.forEach((port) => rates.set(`${port.node}/${port.port}`, port));
    traffic.value = rates;
  } else if (name === "entries") {
    const counts = new Map(writes.value);
    (data as News["entries"]).nodes.forEach((node) => counts.set(node, (counts.get(node) ?? 0) + 1));
    writes.value = counts;
  }
}

/** Who is not there does not count; what it counted last is not what its ports carry now. */
function forgetRates(nodes: readonly string[]): void {
  if (nodes.length > 0) {
    const gone = new Set(nodes);
    traffic.value = new Map([...traffic.value].filter(([port]) => !gone.has(port.replace(/\/\d+$/, ""))));
  }
}

/** Looks at the whole network; a controller that is away is asked again when news arrive. */
async function look(): Promise<void> {
  try {
    const [topology, nodes] = await Promise.all([
      answer(northbound.GET("/topology")),
      answer(northbound.GET("/nodes")),
    ]);
    batch(() => {
      network.value = viewOf(topology, nodes);
      loaded.value = true;
    });
  } catch {
    live.value = false;
  }
}
