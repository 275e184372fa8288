// SPDX-License-Identifier: Apache-2.0

/** User-visible text of the list of events. */
export const strings = {
  events: "Events",
  kind: "Kind",
  anyKind: "Any kind",
  severity: "Severity",
  anySeverity: "Any severity",
  warningsAndErrors: "Warnings and errors",
  errors: "Errors",
  filterByText: "Filter by text",
  theEvents: "the events",
  more: "More",
  noEvents: "No events match the filter.",
  kinds: {
    link: "link",
    node: "node",
    intent: "intent",
    path: "path",
    drift: "drift",
    audit: "drift check",
    cluster: "cluster",
    controller: "controller",
  } as Readonly<Record<string, string>>,
  repeated: (last: string, times: string, first: string) => `${last}, ${times} since ${first}`,
} as const;
