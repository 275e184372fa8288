// SPDX-License-Identifier: Apache-2.0
import { Back } from "../../components/Back";
import { network } from "../../state/network";
import { policies } from "../../state/policies";
import { addressOf } from "../../model/address";

/** One host and the policies that name it. */
export function HostDetail({ name }: { readonly name: string }) {
  const host = network.value.hosts.get(name);
  const its = [...(policies.value?.values() ?? [])].filter(({ policy }) =>
    [policy.from, policy.to, ...(policy.steering ?? [])].includes(name),
  );
  if (host === undefined) {
    return (
      <>
        <Back app="nodes" title="Nodes" />
        <p>There is no host {name} any more.</p>
      </>
    );
  }
  return (
    <>
      <Back app="nodes" title="Nodes" />
      <div class="bar">
        <h2>{name}</h2>
        <span class={`state ${host.up ? "good" : "bad"}`}>{host.up ? "✓ up" : "✕ down"}</span>
      </div>
      <dl class="facts">
        <dt>Attached to</dt>
        <dd>
          <a href={addressOf("nodes", "node", host.at.node)}>{host.at.node}</a> port {host.at.port}
        </dd>
        <dt>Addresses</dt>
        <dd>
          {host.addresses.map((address) => (
            <code class="block" key={address}>
              {address}
            </code>
          ))}
        </dd>
        <dt>Policies</dt>
        <dd>
          {its.length === 0
            ? "none names it"
            : its.map((policy) => (
                <a class="block" href={addressOf("policies", policy.id)} key={policy.id}>
                  {policy.id}
                </a>
              ))}
        </dd>
      </dl>
    </>
  );
}
