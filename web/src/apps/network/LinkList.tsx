// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { Spark } from "../../components/Sparkline";
import { useHistory } from "../../components/history";
import { addressOf } from "../../model/address";
import type { MapLink } from "../../model/network";
import { network } from "../../state/network";
import { LinkState } from "./LinkState";
import { busier, directionsOf, nameOf } from "./links";
import { strings } from "./strings";
import { strings as shared } from "../../components/strings";

const PAGE = 50;

/** All links with their traffic of the last hour; asked for once the list is opened. */
export function LinkList({ filter }: { readonly filter: string }) {
  const [open, setOpen] = useState(false);
  const links = [...network.value.links.values()].filter((link) => link.id.toLowerCase().includes(filter));
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {strings.links} <span class="count">{links.length}</span>
      </summary>
      {open && <Rows links={links} />}
    </details>
  );
}

function Rows({ links }: { readonly links: readonly MapLink[] }) {
  const found = links.toSorted((one, other) => one.id.localeCompare(other.id, undefined, { numeric: true }));
  const shown = found.slice(0, PAGE);
  const history = useHistory(shown.flatMap((link) => directionsOf(link).map(nameOf)));
  return (
    <>
      <ul class="links" aria-label={strings.links}>
        {shown.map((link) => {
          const [quantity, values] = busier(directionsOf(link).map((id) => history.get(nameOf(id))));
          return (
            <li key={link.id}>
              <a href={addressOf("nodes", "link", link.id)}>
                {link.a.node} – {link.b.node}
              </a>
              <LinkState link={link} />
              <Spark quantity={quantity} values={values} />
            </li>
          );
        })}
      </ul>
      {found.length > PAGE && <p class="quiet">{shared.moreByFilter(found.length - PAGE)}</p>}
    </>
  );
}
