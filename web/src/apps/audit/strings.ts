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
  linesLost: (records: string) => `${records} lost: queue full`,
  moreFailedLogin: "more failed login",
  dryRun: (method: string, resource: string) => `dry run of ${method} ${resource}`,
  changes: { added: "added", removed: "removed", replaced: "replaced" },
} as const;
