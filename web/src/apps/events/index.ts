// SPDX-License-Identifier: Apache-2.0
import { LAST, type App } from "../app";
import { EventsPanel } from "./EventsPanel";
import "./style.css";
import { strings } from "./strings";

/** The log of events. */
const events: App = {
  id: "events",
  title: strings.events,
  place: LAST - 2,
  Panel: EventsPanel,
  search: () => [],
  troubles: () => [],
};
export default events;
