// SPDX-License-Identifier: Apache-2.0
import { useContext } from "preact/hooks";
import { Back } from "../../components/Back";
import { Waiting } from "../../components/Loaded";
import { addressOf } from "../../model/address";
import { loaded, network, trouble } from "../../state/network";
import { Apps } from "../app";
import { strings } from "./strings";

/** One host and the apps' parts about it. */
export function HostDetail({ name }: { readonly name: string }) {
  const host = network.value.hosts.get(name);
  const apps = useContext(Apps);
  if (host === undefined) {
    return (
      <>
        <Back app="nodes" title={strings.nodes} />
        {loaded.value ? <p>{strings.noHost(name)}</p> : <Waiting what={strings.theNetwork} why={trouble.value} />}
      </>
    );
  }
  return (
    <>
      <Back app="nodes" title={strings.nodes} />
      <div class="bar">
        <h2>{name}</h2>
        <span class={`state ${host.up ? "good" : "bad"}`}>{host.up ? strings.up : strings.down}</span>
      </div>
      <dl class="facts">
        <dt>{strings.attachedTo}</dt>
        <dd>
          <a href={addressOf("nodes", "node", host.at.node)}>{host.at.node}</a>
          {strings.portNumber(host.at.port)}
        </dd>
        <dt>{strings.addresses}</dt>
        <dd>
          {host.addresses.length === 0 && strings.noAddresses}
          {host.addresses.map((address) => (
            <code class="block" key={address}>
              {address}
            </code>
          ))}
        </dd>
        {apps.map(
          ({ id, AboutHost }) =>
            AboutHost !== undefined && (
              <div data-app={id} key={id}>
                <AboutHost host={name} />
              </div>
            ),
        )}
      </dl>
    </>
  );
}
