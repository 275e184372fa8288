// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from "preact/hooks";
import { apps } from "./apps";
import { Apps, type App } from "./apps/app";
import { OfNow } from "./components/AsOf";
import { Guarded } from "./components/Guarded";
import { Icon } from "./components/Icon";
import { IntentsThen } from "./components/IntentsThen";
import { MapView } from "./map/MapView";
import { Search } from "./Search";
import { sheet, SheetHandle } from "./Sheet";
import { addressOf } from "./model/address";
import { counted } from "./model/format";
import type { Thing } from "./state/picture";
import { deaf, live, loaded, looks, network, trouble, watch } from "./state/network";
import { past } from "./state/past";
import { route } from "./state/route";
import { follow, logOut, session } from "./state/session";
import { theme, toggleTheme } from "./state/theme";
import { strings } from "./strings";

const SUN =
  "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500 19 19M5 19l1.500-1.500M17.500 6.500 19 5";
const MOON = "M20 14.500A8.500 8.500 0 1 1 9.500 4a7 7 0 0 0 10.500 10.500Z";

/** Everything behind the login: the map, and one app's panel beside it. */
export function Shell() {
  useEffect(() => {
    const stop = new AbortController();
    watch(stop.signal);
    follow(stop.signal);
    return () => stop.abort();
  }, []);
  const app = route.value.app === "" ? apps[0] : apps.find((one) => one.id === route.value.app);
  const content = useKeptFocus();
  const tabs = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Not scrollIntoView: that may move the page, too.
    const [line, current] = [tabs.current, tabs.current?.querySelector<HTMLElement>("[aria-current]")];
    if (line != null && current != null) {
      line.scrollLeft = current.offsetLeft - line.offsetLeft - (line.clientWidth - current.offsetWidth) / 2;
    }
  }, [app]);
  useEffect(() => {
    document.title = [...route.value.path.slice(-1), app?.title ?? "", strings.productName]
      .filter((word) => word !== "")
      .join(" · ");
  }, [route.value]);
  return (
    <div class="shell" style={{ "--sheet": `${sheet.value}%` }}>
      <header class="top">
        <h1>
          <img src="./icon.svg" alt="" width="26" height="26" /> {strings.productName}
        </h1>
        <Guarded key={looks.value}>
          <Health />
        </Guarded>
        <Search />
        <button
          type="button"
          class="icon"
          aria-label={theme.value === "dark" ? strings.lightTheme : strings.darkTheme}
          title={theme.value === "dark" ? strings.lightTheme : strings.darkTheme}
          onClick={toggleTheme}
        >
          <Icon d={theme.value === "dark" ? SUN : MOON} />
        </button>
        <User />
      </header>
      <MapView open={openPage} />
      <div class="panel">
        <nav aria-label={strings.apps}>
          <SheetHandle />
          <div class="tabs" ref={tabs} onWheel={sideways}>
            {apps
              .filter((one) => one === app || one.shown?.() !== false)
              .map((one) => (
                <a href={addressOf(one.id)} aria-current={one === app ? "page" : undefined} key={one.id}>
                  {one.title}
                </a>
              ))}
          </div>
        </nav>
        <main class="content" data-app={app?.id} tabIndex={-1} ref={content}>
          {app === undefined ? (
            <NoPanel address={route.value.app} />
          ) : (
            <Guarded key={JSON.stringify(route.value)}>
              <Apps.Provider value={apps}>
                <Page app={app} />
              </Apps.Provider>
            </Guarded>
          )}
        </main>
      </div>
    </div>
  );
}

/** A wheel that turns one way only reaches all tabs. */
function sideways(event: WheelEvent): void {
  const line = event.currentTarget as HTMLElement;
  if (event.deltaX === 0 && line.scrollWidth > line.clientWidth) {
    event.preventDefault();
    line.scrollLeft += event.deltaY;
  }
}

/** The page of an app: of now, or of the time that the map shows. */
function Page({ app }: { readonly app: App }) {
  const moment = past.value;
  const [first, ...rest] = route.value.path;
  if (moment !== undefined && app.Then !== undefined) {
    return <app.Then moment={moment} />;
  }
  // A form is of now, and stays: the text typed into it waits there.
  if (moment !== undefined && app.intents !== undefined && first !== "+" && !rest.includes("+")) {
    return <IntentsThen app={app} kind={app.intents} id={first} moment={moment} />;
  }
  return (
    <>
      <OfNow />
      <app.Panel />
    </>
  );
}

/** Leads to the page of an app about a thing on the map. */
function openPage(thing: Thing): void {
  const address = apps.map((app) => app.pageOf?.(thing)).find((page) => page !== undefined);
  if (address !== undefined) {
    location.hash = address;
  }
}

/** The chosen element often goes with its panel; a lost focus moves to the new one. */
function useKeptFocus() {
  const content = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current && (document.activeElement ?? document.body) === document.body) {
      content.current?.focus({ preventScroll: true });
    }
    first.current = false;
  }, [route.value]);
  return content;
}

/** An address that was typed, or that another version of this page had. */
function NoPanel({ address }: { readonly address: string }) {
  return <p class="trouble">{strings.noPage(address)}</p>;
}

/** All in a line: the troubles, or that there are none. */
function Health() {
  // The network comes first: its troubles are why intents have theirs.
  const wrong = apps.toReversed().flatMap((app) => app.troubles());
  const { look, text: now } = healthOf(wrong);
  const text = past.value === undefined ? now : strings.healthNow(now);
  return (
    <p class={`health ${look}`} role="status" data-testid="health" title={text}>
      <i aria-hidden="true" /> <span>{text}</span>
    </p>
  );
}

function healthOf(wrong: readonly string[]): { readonly look: "wait" | "good" | "bad"; readonly text: string } {
  const { nodes, links } = network.value;
  if (!loaded.value) {
    return { look: "wait", text: trouble.value === "" ? strings.loading : trouble.value };
  }
  if (!live.value) {
    const why = deaf.value === "" ? strings.disconnected : strings.notLive(deaf.value);
    return { look: "wait", text: [why, ...wrong].join(", ") };
  }
  if (trouble.value !== "") {
    return { look: "wait", text: strings.lastKnown(trouble.value) };
  }
  if (nodes.size === 0) {
    return { look: "wait", text: strings.noNodes };
  }
  return wrong.length > 0
    ? { look: "bad", text: wrong.join(", ") }
    : { look: "good", text: strings.allUp(counted(nodes.size, "node"), counted(links.size, "link")) };
}

function User() {
  const who = session.value;
  if (typeof who !== "object") {
    return null;
  }
  return (
    <div class="user">
      <span>
        {who.user} <small>{who.mayWrite ? (who.roles ?? [strings.readAndWrite]).join(", ") : strings.readOnly}</small>
      </span>
      <button type="button" class="quiet" onClick={() => logOut()}>
        {strings.logOut}
      </button>
    </div>
  );
}
