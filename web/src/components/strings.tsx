// SPDX-License-Identifier: Apache-2.0

/** User-visible text that several apps show. */
export const strings = {
  asOf: (time: string, ago: string) => (
    <>
      <b>As of {time}</b>, {ago}.
    </>
  ),
  returnToNow: "Return to now",
  currentState: "Current state.",
  noHistory: "This page has no history; only the map shows the past.",
  bytesHeading: "Bytes",
  bytes: (name: string, bytes: number) => `${name}: ${bytes} bytes`,
  bytesShort: (bytes: number) => `${bytes} B`,
  fits: (inner: number, outer: number, smallestMtu: number | undefined) =>
    smallestMtu === undefined
      ? `Packets of ${inner} bytes become ${outer} bytes; the MTU of the path is unknown.`
      : `Packets of ${inner} bytes become ${outer} bytes and fit the path MTU of ${smallestMtu}.`,
  linkMtu: (link: string, mtu: number, needed: number) => `${link} (MTU ${mtu}, needs ${needed})`,
  tooBig: (links: string, inner: number, fate: string) =>
    `Exceeds the MTU of ${links}: packets of ${inner} bytes are ${fate}. Raise the MTU or choose another path.`,
  reallocatesTwice: (bytes: number, node: string, avoidedBy: string | undefined) =>
    `Linux headends before 6.6.81, 6.12.16 and 6.14 reallocate each packet twice to push ${bytes} bytes (${node}).` +
    (avoidedBy === undefined ? "" : ` Avoided by ${avoidedBy}.`),
  reallocatesOnce: (node: string, bytes: number) => `${node} pushes ${bytes} bytes without a second reallocation.`,
  validating: "Validating…",
  replaces: (name: string) => `“${name}” exists and will be replaced.`,
  installing: "Installing…",
  install: "Install",
  replace: "Replace",
  reset: "Reset",
  readOnly: (things: string) => `This user cannot create ${things}. Log in with a role that permits it, such as admin.`,
  from: "Source",
  to: "Destination",
  hostAddressOrPrefix: "Host, address or prefix",
  nameOptional: "Name (optional)",
  generatedFromTheContent: "generated from the content",
  counters: (packets: string, bytes: string) => `${packets}, ${bytes}`,
  moreEntries: (count: string) => `${count} more; srv6:entries in the shell lists all.`,
  lastHour: "Last hour",
  filter: (things: string) => `Filter ${things}`,
  filterBy: (fields: string) => `Filter by ${fields}`,
  none: (things: string) => `No ${things}`,
  moreByFilter: (count: number) => `${count} more; narrow the filter.`,
  historyOfIntents: "The history has states only: no messages, paths, table entries or counters.",
  historyFrom: (time: string) => `The history begins at ${time}.`,
  notThereThen: "Did not exist at this time.",
  noneThen: "None at this time.",
  filterByName: "Filter by name",
  atThatTime: (title: string) => `${title} at this time`,
  deletionPending: "Deletion pending",
  removing: (what: string) =>
    `The ${what} is deleted. It disappears when its table entries are removed from all nodes.`,
  mayHave: (node: string, entries: number) => (
    <>
      <b>{node}</b> may have {entries === 1 ? "1 entry" : `${entries} entries`}
    </>
  ),
  deletionPendingLine: "deletion pending",
  loading: (what: string) => `Loading ${what}…`,
  missing: (one: string, id: string, was: boolean, consequence: string) =>
    `${was ? `The ${one} “${id}” was deleted` : `There is no ${one} “${id}”`}${consequence === "" ? "." : `: ${consequence}.`}`,
  changedMeanwhile: "Changed by another user in the meantime; the page shows the current version.",
  delete: "Delete",
  deleting: "Deleting…",
  deleteAnyway: "Delete anyway",
  deleteOne: (name: string) => `Delete ${name}`,
  cancel: "Cancel",
  conflictingChange: "Conflicting change",
  conflict: (name: string, did: "made" | "changed" | "deleted") =>
    `“${name}” was ${did === "made" ? "created" : did} by another user.`,
  nothingInstalled: "Your version was not installed and stays in this form.",
  yourVersion: "Your version",
  currentVersion: "Current version",
  bothVersionsAreEqual: "Both versions are equal.",
  useCurrentVersion: "Use current version",
  createAgain: "Create again",
  replaceAnyway: "Replace anyway",
  upTo: (value: string) => `up to ${value}`,
  walk: "Simulated packet",
  walkHeading: "Simulated packet",
  step: "Step",
  previousNode: "Previous node",
  nextNode: "Next node",
  preview: "Preview",
  direction: "Direction",
  bothDirections: "bidirectional",
  oneDirection: "unidirectional",
  more: "More",
  back: (title: string) => `‹ ${title}`,
} as const;
