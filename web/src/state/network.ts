// SPDX-License-Identifier: Apache-2.0
import { batch, effect, signal } from "@preact/signals";
import { answer, northbound, type News } from "../api/client";
import { follow } from "../api/news";
import { mayMend, whyOf } from "../api/why";
import type { Rate } from "../model/load";
import { EMPTY, viewOf, withStates, type NetworkView } from "../model/network";
import { Errand } from "./errand";
import { session } from "./session";

export const network = signal<NetworkView>(EMPTY);
/** By "node/port"; only ports of nodes that count. */
export const traffic = signal<ReadonlyMap<string, Rate>>(new Map());
/** News arrive. */
export const live = signal(false);
/** Why no news arrive although the controller answers; "" otherwise. */
export const deaf = signal("");
/** Why the network cannot be looked at; "" if it can. */
export const trouble = signal("");
/** Grows whenever anything may differ from earlier answers, such as after the controller was away. */
export const looks = signal(0);
/** The network was looked at once. */
export const loaded = signal(false);
/** Grows whenever tables of a node were written. */
export const writes = signal<ReadonlyMap<string, number>>(new Map());

/**
 * Further listeners for the news, such as an app for its intents; apps have news of their own, whose names they know.
 */
type Listener = (name: string, data: unknown) => void;
const listeners = new Set<Listener>();

export function onNews(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Follows the controller until aborted. */
export function watch(stop: AbortSignal): void {
  void follow(
    {
      live(isLive, reason) {
        live.value = isLive;
        deaf.value = reason;
        if (reason !== "") {
          spread("network", {}); // it answers, but sends no news
        }
      },
      news: spread,
    },
    stop,
  );
}

function spread<Name extends keyof News>(name: Name, data: News[Name]): void {
  take(name, data);
  listeners.forEach((listener) => listener(name, data));
}

function take<Name extends keyof News>(name: Name, data: News[Name]): void {
  if (name === "network") {
    looks.value++;
    looking.want();
  } else if (name === "status") {
    const status = data as News["status"];
    batch(() => {
      network.value = withStates(network.value, status);
      forgetRates(status.nodes.filter((node) => node.state === "LOST").map((node) => node.name));
    });
    looking.again();
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

/** A node that is not there does not count; its last counters are not the present traffic of its ports. */
function forgetRates(nodes: readonly string[]): void {
  if (nodes.length > 0) {
    const gone = new Set(nodes);
    traffic.value = new Map([...traffic.value].filter(([port]) => !gone.has(port.replace(/\/\d+$/, ""))));
  }
}

/** A request under way when states change may be older than the change: it is repeated once. */
const looking = new Errand(look);
/** Grows at each logout: answers to earlier requests are not shown after it. */
let visit = 0;

async function look(): Promise<boolean> {
  const own = visit;
  try {
    const [topology, nodes] = await Promise.all([
      answer(northbound.GET("/topology")),
      answer(northbound.GET("/nodes")),
    ]);
    if (own !== visit) {
      return true;
    }
    batch(() => {
      network.value = viewOf(topology, nodes);
      loaded.value = true;
      trouble.value = "";
    });
    return true;
  } catch (error) {
    trouble.value = whyOf(error);
    return !mayMend(error);
  }
}

effect(() => {
  if (session.value === undefined) {
    forgetAll();
  }
});

/** The next user of this page begins anew. */
function forgetAll(): void {
  visit++;
  looking.drop();
  batch(() => {
    network.value = EMPTY;
    traffic.value = new Map();
    writes.value = new Map();
    loaded.value = false;
    live.value = false;
    deaf.value = "";
    trouble.value = "";
  });
}
