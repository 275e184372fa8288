// SPDX-License-Identifier: Apache-2.0
import { answer } from "../../api/client";
import { Intents } from "../../state/intents";
import { client, type Policy, type PolicyPlan, type PolicyStatus } from "./api";

export const policies = new Intents<Policy, PolicyPlan, PolicyStatus>("policy", {
  all: () => answer(client.GET("/policies")),
  one: (id) => answer(client.GET("/policies/{id}", { params: { path: { id } } })),
  dryRun: (policy, signal) =>
    answer(
      client.POST("/policies", { params: { query: { dryRun: true } }, body: policy, signal }),
    ) as Promise<PolicyPlan>,
  submit: (policy, headers) => answer(client.POST("/policies", { body: policy, headers })) as Promise<PolicyStatus>,
  remove: (id, headers) => answer(client.DELETE("/policies/{id}", { params: { path: { id } }, headers })),
  said: (status) => status.policy,
});

/** One policy as it is now, with its headend's reports about the paths that it watches. */
export function statusOf(id: string): Promise<PolicyStatus> {
  return answer(client.GET("/policies/{id}", { params: { path: { id } } }));
}

/** The plan of a stored policy in the present network. */
export function planOf(id: string): Promise<PolicyPlan> {
  return answer(client.GET("/policies/{id}/plan", { params: { path: { id } } }));
}
