// SPDX-License-Identifier: Apache-2.0
import { answer, livelive, type Flow, type FlowPlan, type FlowStatus } from "../../api/client";
import { Collection } from "../../state/collection";

export const flows = new Collection<FlowStatus>("livelive", {
  all: () => answer(livelive.GET("/livelive")),
  one: flowNow,
});

/** One flow with what its paths deliver now. */
export function flowNow(id: string): Promise<FlowStatus> {
  return answer(livelive.GET("/livelive/{id}", { params: { path: { id } } }));
}

export function dryRun(flow: Flow, stop: AbortSignal): Promise<FlowPlan> {
  return answer(
    livelive.POST("/livelive", { params: { query: { dryRun: true } }, body: flow, signal: stop }),
  ) as Promise<FlowPlan>;
}

export async function submit(flow: Flow): Promise<FlowStatus> {
  const stored = (await answer(livelive.POST("/livelive", { body: flow }))) as FlowStatus;
  await flows.look(stored.id);
  return stored;
}

export function remove(id: string): Promise<void> {
  return flows.removed(id, answer(livelive.DELETE("/livelive/{id}", { params: { path: { id } } })));
}
