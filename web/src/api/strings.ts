// SPDX-License-Identifier: Apache-2.0

/** User-visible text about requests to the controller. */
export const strings = {
  retries: "The page retries automatically.",
  outcomeUnknown: "The outcome is shown when the connection is back.",
  isItRunning: "Check that it is running.",
  timeout: (then: string) => `The request to the controller timed out. ${then}`,
  unreachable: (then: string) => `The controller is unreachable. ${then}`,
  notJson: "The response is not JSON, so it is not the controller’s. Check for a proxy with a login of its own.",
  unexpected: (error: string) => `Unexpected response of the controller (${error}). Reload the page.`,
  starting: (status: number) => `The controller is starting, or a proxy responded in its place (HTTP ${status}).`,
  invalid: "Some fields are invalid, see below.",
  readOnlyUser: "This user has read-only access.",
  conflict: "Conflicts with another intent, see below.",
  unfeasible: "The network cannot support this now, see below.",
  checkFailed: "The check by the controller failed, see below.",
  tooManyStreams: "too many open event streams",
  noStream: (status: number) => `the event stream is unavailable (HTTP ${status})`,
  failed: (status: number) => `the controller returned HTTP ${status}`,
} as const;
