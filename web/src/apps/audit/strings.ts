// SPDX-License-Identifier: Apache-2.0

/** User-visible text of the audit log. */
export const strings = {
  title: "Audit log",
  user: "User",
  resource: "Resource",
  outcome: "Outcome",
  anyOutcome: "Any outcome",
  theAuditLog: "the audit log",
  more: "More",
  noRecords: "No records match the filter.",
  records: "Audit log",
  from: (address: string) => `from ${address}`,
  loginFailed: "login failed",
  loggedOut: "logged out",
  newChain: (reasons: string) => `new hash chain: ${reasons}`,
  started: "controller started",
  linesLost: (count: number) => `${count} records lost: queue full`,
  moreFailedLogins: (count: number) => `${count} more failed logins`,
  dryRun: (method: string, resource: string) => `dry run of ${method} ${resource}`,
  intents: (count: number) => `${count} intents`,
  changes: { added: "added", removed: "removed", replaced: "replaced" },
} as const;
