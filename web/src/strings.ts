// SPDX-License-Identifier: Apache-2.0

/** User-visible text of the page around the apps. */
export const strings = {
  productName: "Sextant",
  tagline: "SRv6 controller",
  user: "User",
  password: "Password",
  loggingIn: "Logging in…",
  logIn: "Log in",
  logInAt: (issuer: string) => `Log in with ${issuer}`,
  badCredentials:
    "Wrong user name or password. The first start of the controller writes the initial credentials to etc/sextant/credentials.",
  searchLabel: "Search nodes, hosts, links and policies",
  searchHint: "Search (/)",
  searchResults: "Search results",
  noResults: "No results",
  panelHeight: "Height of the panel",
  percentOfPage: (percent: number) => `${percent} percent of the page`,
  lightTheme: "Light theme",
  darkTheme: "Dark theme",
  apps: "Apps",
  noPage: (address: string) => `There is no page “${address}”. Choose one of the tabs above.`,
  healthNow: (health: string) => `now: ${health}`,
  loading: "Loading…",
  disconnected: "no connection to the controller; last known state",
  notLive: (why: string) => `no live updates: ${why}`,
  lastKnown: (why: string) => `last known state: ${why}`,
  noNodes: "no nodes",
  allUp: (nodes: string, links: string) => `${nodes}, ${links}, all up`,
  readAndWrite: "read and write",
  readOnly: "read-only",
  logOut: "Log out",
} as const;
