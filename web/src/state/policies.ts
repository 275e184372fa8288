// SPDX-License-Identifier: Apache-2.0
import { answer, usid, type Policy, type PolicyPlan, type PolicyStatus } from "../api/client";
import { Collection } from "./collection";

export const policies = new Collection<PolicyStatus>("policy", {
  all: () => answer(usid.GET("/policies")),
  one: (id) => answer(usid.GET("/policies/{id}", { params: { path: { id } } })),
});

/** The plan of a stored policy in the present network. */
export function planOf(id: string): Promise<PolicyPlan> {
  return answer(usid.GET("/policies/{id}/plan", { params: { path: { id } } }));
}

/** The plan that submitting would install; changes nothing. */
export function dryRun(policy: Policy, signal: AbortSignal): Promise<PolicyPlan> {
  return answer(
    usid.POST("/policies", { params: { query: { dryRun: true } }, body: policy, signal }),
  ) as Promise<PolicyPlan>;
}

export async function submit(policy: Policy): Promise<PolicyStatus> {
  const stored = (await answer(usid.POST("/policies", { body: policy }))) as PolicyStatus;
  await policies.look(stored.id);
  return stored;
}

export function remove(id: string): Promise<void> {
  return policies.removed(id, answer(usid.DELETE("/policies/{id}", { params: { path: { id } } })));
}
