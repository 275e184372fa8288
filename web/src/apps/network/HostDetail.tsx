// SPDX-License-Identifier: Apache-2.0
import { Back } from "../../components/Back";
import { Waiting } from "../../components/Loaded";
import { addressOf } from "../../model/address";
import { loaded, network, trouble } from "../../state/network";
import { policies } from "../../state/policies";

/** One host and the policies that name it. */
export function HostDetail({ name }: { readonly name: string }) {
  const host = network.value.hosts.get(name);
  const its = [...(policies.all.value?.values() ?? [])].filter(({ policy }) =>
    [policy.from, policy.to, ...(policy.steering ?? [])].includes(name),
  );
  if (host === undefined) {
    return (
      <>
        <Back app="nodes" title="Nodes" />
        {loaded.value ? <p>There is no host “{name}”.</p> : <Waiting what="the network" why={trouble.value} />}
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
          {host.addresses.length === 0 && "none: the network description gives it no ips, so no policy can steer to it"}
          {host.addresses.map((address) => (
            <code class="block" key={address}>
              {address}
            </code>
          ))}
        </dd>
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
      </dl>
    </>
  );
}
