// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../../model/address";
import { network } from "../../state/network";
import { strings } from "./strings";

const MOST = 200;

/** Nodes by name, each leading to its page; of very many the first. */
export function Nodes({ names }: { readonly names: readonly string[] }) {
  return (
    <>
      <ul class="nodes">
        {names.slice(0, MOST).map((name) => {
          const lost = network.value.nodes.get(name)?.state === "LOST";
          return (
            <li key={name}>
              <a class="button" href={addressOf("nodes", "node", name)}>
                {name}
                {lost && <span class="lost"> {strings.lost}</span>}
              </a>
            </li>
          );
        })}
      </ul>
      {names.length > MOST && <p class="quiet">{strings.moreBySearch(names.length - MOST)}</p>}
    </>
  );
}
