// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../../model/address";
import type { Policy } from "./api";
import { policies } from "./policies";
import { strings } from "./strings";

function hosts(one: NonNullable<Policy["steering"]>[number]): (string | undefined)[] {
  return typeof one === "string" ? [one] : [one.source, one.destination];
}

/** The policies that name a host. */
export function HostPolicies({ host }: { readonly host: string }) {
  const its = [...(policies.all.value?.values() ?? [])].filter(({ policy }) =>
    [policy.from, policy.to, ...(policy.steering ?? []).flatMap(hosts)].includes(host),
  );
  return (
    <>
      <dt>{strings.policies}</dt>
      <dd>
        {its.length === 0
          ? policies.all.value === undefined
            ? strings.loading
            : strings.none
          : its.map((policy) => (
              <a class="block" href={addressOf("policies", policy.id)} key={policy.id}>
                {policy.id}
              </a>
            ))}
      </dd>
    </>
  );
}
