// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { Refused, type Problem } from "../api/client";
import { refusalTitle, whyOf, type Doing } from "../api/why";
import { looks, network } from "../state/network";
import type { NetworkView } from "../model/network";

/** What a draft would become, as far as the controller was asked. */
export type Tried<Plan> =
  | { readonly is: "nothing" }
  /** The plan of the draft before stays in view until there is a new one. */
  | { readonly is: "asking"; readonly plan: Plan | undefined }
  | { readonly is: "plan"; readonly plan: Plan }
  | {
      readonly is: "refused";
      readonly title: string;
      readonly problems: readonly Problem[];
      readonly why: string;
    };

/** So long nobody types or clicks before the controller is asked. */
const CALM_MILLIS = 150;

export function refusedBy(error: unknown, doing: Doing): Tried<never> {
  return {
    is: "refused",
    title: refusalTitle(error),
    problems: error instanceof Refused ? error.problems : [],
    why: whyOf(error, doing),
  };
}

export function planIn<Plan>(tried: Tried<Plan>): Plan | undefined {
  return tried.is === "plan" || tried.is === "asking" ? tried.plan : undefined;
}

interface Answered<Plan> {
  readonly draft: unknown;
  readonly circumstances: string;
  readonly tried: Tried<Plan>;
}

/**
 * Asks what a draft would become, a moment after it or the network changed. An answer counts for the draft and the
 * network that were asked about; until the next is here, it is a picture to look at and nothing to install.
 *
 * @param ask undefined if the draft is not complete
 */
export function useTried<Plan>(
  draft: unknown,
  ask: ((stop: AbortSignal) => Promise<Plan>) | undefined,
): [Tried<Plan>, (tried: Tried<Plan>) => void] {
  const [last, setLast] = useState<Answered<Plan>>();
  const circumstances = `${looks.value} ${shapeOf(network.value)}`;
  const answer = (tried: Tried<Plan>): void => setLast({ draft, circumstances, tried });
  useEffect(() => {
    if (ask === undefined) {
      setLast(undefined);
      return undefined;
    }
    const stop = new AbortController();
    const unlessStopped = (tried: Tried<Plan>): void => {
      if (!stop.signal.aborted) {
        answer(tried);
      }
    };
    const timer = setTimeout(() => {
      ask(stop.signal).then(
        (plan) => unlessStopped({ is: "plan", plan }),
        (error: unknown) => unlessStopped(refusedBy(error, "asking")),
      );
    }, CALM_MILLIS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [draft, circumstances]);
  if (ask === undefined) {
    return [{ is: "nothing" }, answer];
  }
  if (last !== undefined && last.draft === draft && last.circumstances === circumstances) {
    return [last.tried, answer];
  }
  return [{ is: "asking", plan: last && planIn(last.tried) }, answer];
}

/** What of the network a plan depends on, as far as it is seen here. */
function shapeOf(view: NetworkView): string {
  const links = [...view.links.values()].map((link) => `${link.id}${link.up ? "" : " down"}`);
  return [...view.nodes.keys(), ...links, ...view.hosts.keys()].join();
}
