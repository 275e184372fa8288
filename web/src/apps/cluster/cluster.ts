// SPDX-License-Identifier: Apache-2.0
import { batch, effect, signal } from "@preact/signals";
import { answer, northbound, type Cluster } from "../../api/client";
import { mayMend, whyOf } from "../../api/why";
import { Errand } from "../../state/errand";
import { onNews } from "../../state/network";
import { session } from "../../state/session";

/** The cluster as the controller that answers sees it; undefined until it was asked for. */
export const cluster = signal<Cluster | undefined>(undefined);
/** Why it cannot be looked at; "" if it can. */
export const trouble = signal("");
/** There was more than one member once: a user of a single controller is not bothered with clusters. */
export const several = signal(false);

const looking = new Errand(look);
/** Grows at each logout: answers to earlier requests are not shown after it. */
let visit = 0;

async function look(): Promise<boolean> {
  const own = visit;
  try {
    const told = await answer(northbound.GET("/cluster"));
    if (own === visit) {
      batch(() => {
        cluster.value = told;
        trouble.value = "";
        several.value ||= told.members.length > 1;
      });
    }
    return true;
  } catch (error) {
    trouble.value = whyOf(error);
    return !mayMend(error);
  }
}

onNews((name) => {
  if (name === "network" || name === "cluster") {
    looking.want();
  }
});

effect(() => {
  if (session.value === undefined) {
    visit++;
    looking.drop();
    batch(() => {
      cluster.value = undefined;
      trouble.value = "";
      several.value = false;
    });
  }
});
