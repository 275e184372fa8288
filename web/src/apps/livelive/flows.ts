// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { answer, livelive, type Flow, type FlowPlan, type FlowStatus, type News } from "../../api/client";
import { onNews } from "../../state/network";

/** All flows by id; undefined until they were asked for. */
export const flows = signal<ReadonlyMap<string, FlowStatus> | undefined>(undefined);

const KIND = "livelive";

onNews((name, data) => {
  if (name === "network") {
    void refresh();
  } else if (name === "intents") {
    const news = data as News["intents"];
    if (news.many || [...news.changed, ...news.removed].some((one) => one.kind === KIND)) {
      void refresh();
    }
  } else if (name === "reports" && (data as News["reports"]).reports.some((one) => one.kind === KIND)) {
    void refresh();
  }
});

async function refresh(): Promise<void> {
  try {
    const all = await answer(livelive.GET("/livelive"));
    flows.value = new Map(all.map((flow) => [flow.id, flow]));
  } catch {
    return; // the news come again when the controller is back
  }
}

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
  await refresh();
  return stored;
}

export async function remove(id: string): Promise<void> {
  await answer(livelive.DELETE("/livelive/{id}", { params: { path: { id } } }));
  await refresh();
}
