// SPDX-License-Identifier: Apache-2.0
import { useEffect } from "preact/hooks";
import { apps } from "./apps";
import { Icon } from "./components/Icon";
import { MapView } from "./map/MapView";
import { Search } from "./Search";
import { live, loaded, network, watch } from "./state/network";
import { addressOf } from "./model/address";
import { route } from "./state/route";
import { logOut, session } from "./state/session";
import { theme, toggleTheme } from "./state/theme";

const SUN =
  "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500 19 19M5 19l1.500-1.500M17.500 6.500 19 5";
const MOON = "M20 14.500A8.500 8.500 0 1 1 9.500 4a7 7 0 0 0 10.500 10.500Z";

/** Everything behind the login: the map, and one app's panel beside it. */
export function Shell() {
  useEffect(() => {
    const stop = new AbortController();
    watch(stop.signal);
    return () => stop.abort();
  }, []);
  const app = apps.find((one) => one.id === route.value.app);
  return (
    <div class="shell">
      <header class="top">
        <h1>
          <img src="./icon.svg" alt="" width="26" height="26" /> Sextant
        </h1>
        <Health />
        <Search />
        <button
          type="button"
          class="icon"
          aria-label={theme.value === "dark" ? "Light colours" : "Dark colours"}
          title={theme.value === "dark" ? "Light colours" : "Dark colours"}
          onClick={toggleTheme}
        >
          <Icon d={theme.value === "dark" ? SUN : MOON} />
        </button>
        <User />
      </header>
      <MapView />
      <aside class="panel" aria-label="Panel">
        <nav class="tabs" aria-label="Apps">
          {apps.map((one) => (
            <a href={addressOf(one.id)} aria-current={one === app ? "page" : undefined} key={one.id}>
              {one.title}
            </a>
          ))}
        </nav>
        <main class="content" tabIndex={-1}>
          {app === undefined ? <NoPanel address={route.value.app} /> : <app.Panel />}
        </main>
      </aside>
    </div>
  );
}

/** An address that somebody typed, or that another version of this page had. */
function NoPanel({ address }: { readonly address: string }) {
  return <p class="trouble">There is no page “{address}”. Choose one of the tabs above.</p>;
}

/** The network in a line: what is wrong, or that nothing is. */
function Health() {
  const { nodes, links } = network.value;
  const lost = [...nodes.values()].filter((node) => node.state === "LOST").length;
  const down = [...links.values()].filter((link) => !link.up).length;
  const wrong = [
    ...(lost > 0 ? [`${lost} ${lost === 1 ? "node" : "nodes"} lost`] : []),
    ...(down > 0 ? [`${down} ${down === 1 ? "link" : "links"} down`] : []),
  ];
  const look = !live.value ? "wait" : wrong.length > 0 ? "bad" : "good";
  const text = !loaded.value
    ? "looking…"
    : !live.value
      ? "the controller is silent; this is how it was"
      : wrong.length > 0
        ? wrong.join(", ")
        : `${nodes.size} nodes, ${links.size} links, all up`;
  return (
    <p class={`health ${look}`} role="status" data-testid="health">
      <i aria-hidden="true" /> {text}
    </p>
  );
}

function User() {
  const who = session.value;
  if (typeof who !== "object") {
    return null;
  }
  return (
    <div class="user">
      <span>
        {who.user} {!who.mayWrite && <small>read only</small>}
      </span>
      <button type="button" class="quiet" onClick={logOut}>
        Log out
      </button>
    </div>
  );
}
