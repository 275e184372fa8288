// SPDX-License-Identifier: Apache-2.0
import { answer } from "../../api/client";
import { Intents } from "../../state/intents";
import { client, type Flow, type FlowPlan, type FlowStatus } from "./api";

export const flows = new Intents<Flow, FlowPlan, FlowStatus>("livelive", {
  all: () => answer(client.GET("/livelive")),
  one: flowNow,
  dryRun: (flow, signal) =>
    answer(client.POST("/livelive", { params: { query: { dryRun: true } }, body: flow, signal })) as Promise<FlowPlan>,
  submit: (flow, headers) => answer(client.POST("/livelive", { body: flow, headers })) as Promise<FlowStatus>,
  remove: (id, headers) => answer(client.DELETE("/livelive/{id}", { params: { path: { id } }, headers })),
  said: (status) => status.flow,
});

/** One flow with the deliveries of its paths now. */
export function flowNow(id: string): Promise<FlowStatus> {
  return answer(client.GET("/livelive/{id}", { params: { path: { id } } }));
}
