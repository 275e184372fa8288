// SPDX-License-Identifier: Apache-2.0
import { useEffect } from "preact/hooks";
import type { Moment } from "../../api/client";
import { AsOf } from "../../components/AsOf";
import { Back } from "../../components/Back";
import { State } from "../../components/State";
import { addressOf } from "../../model/address";
import { rateText } from "../../model/format";
import { byAttention, isLink, linksThen, type LinkThen } from "../../model/then";
import { NOTHING, picture } from "../../state/picture";
import { route } from "../../state/route";
import { strings } from "./strings";

const PAGE = 200;

/** Nodes, links and hosts as they were: their states, and the traffic of links. */
export function NetworkThen({ moment }: { readonly moment: Moment }) {
  const [kind, name] = route.value.path;
  useEffect(() => {
    picture.value = name === undefined ? NOTHING : { ...NOTHING, selected: name };
  }, [name]);
  return (
    <>
      {name !== undefined && <Back app="nodes" title={strings.nodes} />}
      <AsOf moment={moment} without={strings.history} />
      {name === undefined ? (
        <All moment={moment} />
      ) : kind === "link" ? (
        <Link link={linksThen(moment.links).find((link) => isLink(link, name))} id={name} />
      ) : kind === "host" ? (
        <Host name={name} up={moment.hosts.find((host) => host.name === name)?.up} />
      ) : (
        <Node name={name} moment={moment} />
      )}
    </>
  );
}

function All({ moment }: { readonly moment: Moment }) {
  const nodes = moment.nodes.toSorted(byAttention);
  const down = moment.hosts.filter((host) => !host.up);
  return (
    <>
      <h2>
        {strings.nodes} <span class="count">{nodes.length}</span>
      </h2>
      <ul class="cards" aria-label={strings.nodesAtThisTime}>
        {nodes.slice(0, PAGE).map(({ name, state }) => (
          <li key={name}>
            <a class={`card ${state === "LOST" ? "attention" : ""}`} href={addressOf("nodes", "node", name)}>
              <span class="title">{name}</span>
              <State state={state} />
            </a>
          </li>
        ))}
      </ul>
      {nodes.length > PAGE && <p class="quiet">{strings.moreOnMap(nodes.length - PAGE)}</p>}
      <Links links={linksThen(moment.links)} />
      {down.length > 0 && <p>{strings.hostsDown(down.map(({ name }) => name).join(", "))}</p>}
    </>
  );
}

function Links({ links }: { readonly links: readonly LinkThen[] }) {
  return (
    <>
      <h3>
        {strings.links} <span class="count">{links.length}</span>
      </h3>
      <ul class="links" aria-label={strings.linksAtThisTime}>
        {links.slice(0, PAGE).map((link) => (
          <li key={link.id}>
            <a href={addressOf("nodes", "link", link.id)}>
              {link.one} – {link.other}
            </a>
            <UpOrDown up={link.up} />
            <span class="quiet">{busierText(link)}</span>
          </li>
        ))}
      </ul>
      {links.length > PAGE && <p class="quiet">{strings.moreOnMap(links.length - PAGE)}</p>}
    </>
  );
}

function Node({ name, moment }: { readonly name: string; readonly moment: Moment }) {
  const state = moment.nodes.find((node) => node.name === name)?.state;
  const links = linksThen(moment.links).filter(({ one, other }) => one === name || other === name);
  return (
    <>
      <div class="bar">
        <h2>{name}</h2>
        {state !== undefined && <State state={state} />}
      </div>
      {state === undefined ? <p>{strings.notThereThen}</p> : <Links links={links} />}
    </>
  );
}

function Link({ id, link }: { readonly id: string; readonly link: LinkThen | undefined }) {
  return link === undefined ? (
    <>
      <h2>{id}</h2>
      <p>{strings.notThereThen}</p>
    </>
  ) : (
    <>
      <div class="bar">
        <h2>
          {link.one} – {link.other}
        </h2>
        <UpOrDown up={link.up} />
      </div>
      <dl class="facts">
        <dt>{strings.fromTo(link.one, link.other)}</dt>
        <dd>{carriedText(link.there)}</dd>
        <dt>{strings.fromTo(link.other, link.one)}</dt>
        <dd>{carriedText(link.back)}</dd>
      </dl>
    </>
  );
}

function Host({ name, up }: { readonly name: string; readonly up: boolean | undefined }) {
  return (
    <>
      <div class="bar">
        <h2>{name}</h2>
        {up !== undefined && <UpOrDown up={up} />}
      </div>
      {up === undefined && <p>{strings.notThereThen}</p>}
    </>
  );
}

function UpOrDown({ up }: { readonly up: boolean }) {
  return <span class={`state ${up ? "good" : "bad"}`}>{up ? strings.up : strings.down}</span>;
}

function carriedText(bitsPerSecond: number | undefined): string {
  return bitsPerSecond === undefined ? strings.noData : rateText(bitsPerSecond);
}

/** The traffic before it went down is not that of then. */
function busierText({ up, there, back }: LinkThen): string {
  return !up || (there === undefined && back === undefined) ? "" : rateText(Math.max(there ?? 0, back ?? 0));
}
