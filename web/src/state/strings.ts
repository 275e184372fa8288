// SPDX-License-Identifier: Apache-2.0

/** User-visible text about the session and the time of the map. */
export const strings = {
  idle: "Logged out after 30 minutes without activity.",
  sessionEnded: "Logged out: sessions end after 12 hours.",
  loginRevoked: "Logged out: the password was changed or the user was removed.",
  pastIsReadOnly: "The map shows the past, so changes are disabled. Return to now first.",
} as const;
