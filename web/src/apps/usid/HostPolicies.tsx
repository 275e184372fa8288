// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../../model/address";
import { policies } from "./policies";

/** The policies that name a host. */
export function HostPolicies({ host }: { readonly host: string }) {
  const its = [...(policies.all.value?.values() ?? [])].filter(({ policy }) =>
    [policy.from, policy.to, ...(policy.steering ?? [])].includes(host),
  );
  return (
    <>
      <dt>Policies</dt>
      <dd>
        {its.length === 0
          ? policies.all.value === undefined
            ? "not asked for yet"
            : "none names it"
          : its.map((policy) => (
              <a class="block" href={addressOf("policies", policy.id)} key={policy.id}>
                {policy.id}
              </a>
            ))}
      </dd>
    </>
  );
}
