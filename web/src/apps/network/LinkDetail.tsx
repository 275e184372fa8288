// SPDX-License-Identifier: Apache-2.0
import { Back } from "../../components/Back";
import { Waiting } from "../../components/Loaded";
import { Spark } from "../../components/Sparkline";
import { useHistory } from "../../components/history";
import { rateText } from "../../model/format";
import { utilisationOf, valueText } from "../../model/history";
import { sentBy } from "../../model/load";
import { delayText, speedText, type End, type MapLink } from "../../model/network";
import { loaded, network, traffic, trouble } from "../../state/network";
import { addressOf } from "../../model/address";
import { nameOf } from "./links";
import { LinkState } from "./LinkState";
import { Outage } from "./Outage";
import { strings } from "./strings";

/** One link with both directions. */
export function LinkDetail({ id }: { readonly id: string }) {
  const link = network.value.links.get(id);
  if (link === undefined) {
    return (
      <>
        <Back app="nodes" title={strings.nodes} />
        {loaded.value ? <p>{strings.noLink(id)}</p> : <Waiting what={strings.theNetwork} why={trouble.value} />}
      </>
    );
  }
  return (
    <>
      <Back app="nodes" title={strings.nodes} />
      <div class="bar">
        <h2>
          {link.a.node} – {link.b.node}
        </h2>
        <LinkState link={link} />
      </div>
      <dl class="facts">
        <dt>{strings.sends(link.a.node)}</dt>
        <dd>
          <Sent key={`${id} a`} link={link} from={link.a} to={link.b} />
        </dd>
        <dt>{strings.sends(link.b.node)}</dt>
        <dd>
          <Sent key={`${id} b`} link={link} from={link.b} to={link.a} />
        </dd>
        <dt>{strings.igpMetric}</dt>
        <dd>{link.metric}</dd>
        <dt>{strings.mtu}</dt>
        <dd>{link.mtuBytes === undefined ? strings.unknown : strings.bytes(link.mtuBytes)}</dd>
        <dt>{strings.speed}</dt>
        <dd>{speedText(link)}</dd>
        <dt>{strings.delay}</dt>
        <dd>{delayText(link)}</dd>
        <dt>{strings.endpoints}</dt>
        <dd>
          <a href={addressOf("nodes", "node", link.a.node)}>{link.a.node}</a>
          {strings.portNumber(link.a.port)}, <a href={addressOf("nodes", "node", link.b.node)}>{link.b.node}</a>
          {strings.portNumber(link.b.port)}
        </dd>
      </dl>
      <Outage key={id} failed={link.id} />
    </>
  );
}

/** As the sender counts, or the receiver where the sender cannot; now, and in the last hour. */
function Sent({ link, from, to }: { readonly link: MapLink; readonly from: End; readonly to: End }) {
  const direction = `${from.node}/${from.port}-${to.node}/${to.port}`;
  const measured = useHistory([nameOf(direction)]).get(nameOf(direction));
  const sent = sentBy(from, to, traffic.value);
  const bits = sent?.bitsPerSecond;
  const speed = link.speeds.get(direction);
  const share = bits === undefined ? undefined : utilisationOf(bits, speed);
  return (
    <>
      {sent === undefined ? strings.countersUnavailable : rateText(sent.bitsPerSecond - sent.probes)}
      {sent !== undefined && sent.probes > 0 && strings.probes(rateText(sent.probes))}
      {share !== undefined &&
        speed !== undefined &&
        strings.utilization(valueText("utilisationPercent", share), rateText(speed * 1000))}{" "}
      <Spark quantity="bytesPerSecond" values={measured?.get("bytesPerSecond")} />
    </>
  );
}
