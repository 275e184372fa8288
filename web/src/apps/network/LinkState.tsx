// SPDX-License-Identifier: Apache-2.0
import { useEvery } from "../../components/Loaded";
import { linkText, type MapLink } from "../../model/network";
import { controllerNow } from "../../state/clock";

/** The state of a link, with the seconds until one that waits is used. */
export function LinkState({ link }: { readonly link: MapLink }) {
  return (
    <span class={`state ${link.up ? "good" : "bad"}`}>
      {link.restores.size > 0 ? <CountedDown link={link} /> : linkText(link, controllerNow())}
    </span>
  );
}

function CountedDown({ link }: { readonly link: MapLink }) {
  useEvery(1_000);
  return <>{linkText(link, controllerNow())}</>;
}
