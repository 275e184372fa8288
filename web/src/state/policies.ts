// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { answer, usid, type News, type Policy, type PolicyPlan, type PolicyStatus } from "../api/client";
import { onNews } from "./network";

/** All policies by id; undefined until they were asked for. */
export const policies = signal<ReadonlyMap<string, PolicyStatus> | undefined>(undefined);

const KIND = "policy";

onNews((name, data) => {
  if (name === "network") {
    void refresh();
  } else if (name === "intents") {
    const news = data as News["intents"];
    if (news.many) {
      void refresh();
      return;
    }
    news.removed.filter((one) => one.kind === KIND).forEach((one) => forget(one.id));
    news.changed.filter((one) => one.kind === KIND).forEach((one) => void look(one.id));
  }
});

async function refresh(): Promise<void> {
  try {
    const all = await answer(usid.GET("/policies"));
    policies.value = new Map(all.map((policy) => [policy.id, policy]));
  } catch {
    return; // the news come again when the controller is back
  }
}

async function look(id: string): Promise<void> {
  try {
    keep(await answer(usid.GET("/policies/{id}", { params: { path: { id } } })));
  } catch {
    return; // gone meanwhile; the news say so
  }
}

function keep(policy: PolicyStatus): void {
  policies.value = new Map(policies.value).set(policy.id, policy);
}

function forget(id: string): void {
  const rest = new Map(policies.value);
  rest.delete(id);
  policies.value = rest;
}

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
  keep(stored);
  return stored;
}

export async function remove(id: string): Promise<void> {
  await answer(usid.DELETE("/policies/{id}", { params: { path: { id } } }));
  forget(id);
}
