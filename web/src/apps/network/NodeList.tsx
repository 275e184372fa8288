// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { Waiting } from "../../components/Loaded";
import { State } from "../../components/State";
import { lostText } from "../../model/contact";
import { overloadText, type MapNode } from "../../model/network";
import { controllerNow } from "../../state/clock";
import { live, loaded, network, trouble } from "../../state/network";
import { addressOf } from "../../model/address";
import { LinkList } from "./LinkList";
import { LinkState } from "./LinkState";
import { strings } from "./strings";
import { strings as shared } from "../../components/strings";

const PAGE = 200;

/** All nodes; those that are not in step come first. */
export function NodeList() {
  const [filter, setFilter] = useState("");
  const { nodes, links } = network.value;
  if (!loaded.value) {
    return <Waiting what={strings.theNetwork} why={trouble.value} />;
  }
  const text = filter.toLowerCase();
  const found = [...nodes.values()]
    .filter((node) => node.name.toLowerCase().includes(text) || node.usid.includes(text))
    .sort(byAttention);
  const down = [...links.values()].filter((link) => !link.up);
  return (
    <>
      <h2>
        {strings.nodes} <span class="count">{nodes.size}</span>
      </h2>
      {!live.value && <p class="warning">{strings.disconnected}</p>}
      {down.length > 0 && (
        <ul class="cards" aria-label={strings.linksThatAreDown}>
          {down.map((link) => (
            <li key={link.id}>
              <a class="card attention" href={addressOf("nodes", "link", link.id)}>
                <span class="title">
                  {link.a.node} – {link.b.node}
                </span>
                <LinkState link={link} />
              </a>
            </li>
          ))}
        </ul>
      )}
      {nodes.size > 12 && (
        <input
          type="search"
          aria-label={strings.filterNodes}
          placeholder={strings.filterByNameOrUsid}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      {nodes.size === 0 && (
        <div class="nothing">
          <p>{strings.noNodes}</p>
          <p class="quiet">{strings.emptyTopology}</p>
        </div>
      )}
      <ul class="cards" aria-label={strings.nodes}>
        {found.slice(0, PAGE).map((node) => (
          <li key={node.name}>
            <a class={`card ${node.state === "LOST" ? "attention" : ""}`} href={addressOf("nodes", "node", node.name)}>
              <span class="title">{node.name}</span>
              <State state={node.state} />
              <span class="line quiet">
                {strings.kinds[node.kind]} · {node.edge ? strings.edge : strings.core} · {strings.usid}{" "}
                <code>{node.usid}</code>
              </span>
              {whyOf(node) !== "" && <span class="line trouble">{whyOf(node)}</span>}
              {node.overload !== undefined && <span class="line notice">{overloadText(node, controllerNow())}</span>}
              {node.notice !== "" && <span class="line notice">{node.notice}</span>}
            </a>
          </li>
        ))}
      </ul>
      {found.length > PAGE && <p class="quiet">{shared.moreByFilter(found.length - PAGE)}</p>}
      {links.size > 0 && <LinkList filter={filter.toLowerCase()} />}
    </>
  );
}

/** The meaning of a lost node: the text of the observation is on its page. */
function whyOf({ state, reason, contact }: MapNode): string {
  return state === "LOST" ? lostText(contact, controllerNow()) : reason;
}

function byAttention(one: MapNode, other: MapNode): number {
  const rank = (node: MapNode): number => (node.state === "SYNCED" ? 1 : 0);
  return rank(one) - rank(other) || one.name.localeCompare(other.name, undefined, { numeric: true });
}
