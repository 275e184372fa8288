// SPDX-License-Identifier: Apache-2.0
import { Back } from "../../components/Back";
import { Waiting } from "../../components/Loaded";
import { rateText } from "../../model/format";
import type { End } from "../../model/network";
import { loaded, network, traffic, trouble } from "../../state/network";
import { addressOf } from "../../model/address";
import { Outage } from "./Outage";

/** One link with both directions. */
export function LinkDetail({ id }: { readonly id: string }) {
  const link = network.value.links.get(id);
  if (link === undefined) {
    return (
      <>
        <Back app="nodes" title="Nodes" />
        {loaded.value ? <p>There is no link “{id}”.</p> : <Waiting what="the network" why={trouble.value} />}
      </>
    );
  }
  return (
    <>
      <Back app="nodes" title="Nodes" />
      <div class="bar">
        <h2>
          {link.a.node} – {link.b.node}
        </h2>
        <span class={`state ${link.up ? "good" : "bad"}`}>{link.up ? "✓ up" : "✕ down"}</span>
      </div>
      <dl class="facts">
        <dt>{link.a.node} sends</dt>
        <dd>{sent(link.a, link.b)}</dd>
        <dt>{link.b.node} sends</dt>
        <dd>{sent(link.b, link.a)}</dd>
        <dt>IGP metric</dt>
        <dd>{link.metric}</dd>
        <dt>MTU</dt>
        <dd>{link.mtuBytes === undefined ? "not told" : `${link.mtuBytes} bytes`}</dd>
        <dt>Ends</dt>
        <dd>
          <a href={addressOf("nodes", "node", link.a.node)}>{link.a.node}</a> port {link.a.port},{" "}
          <a href={addressOf("nodes", "node", link.b.node)}>{link.b.node}</a> port {link.b.port}
        </dd>
      </dl>
      <Outage key={id} failed={link.id} />
    </>
  );
}

/** As the sender counts, or the receiver where the sender cannot. */
function sent(from: End, to: End): string {
  const rates = traffic.value;
  const bits =
    rates.get(`${from.node}/${from.port}`)?.outBitsPerSecond ?? rates.get(`${to.node}/${to.port}`)?.inBitsPerSecond;
  return bits === undefined ? "not counted by either end" : rateText(bits);
}
