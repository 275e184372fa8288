// SPDX-License-Identifier: Apache-2.0
import { Refused, Unreachable, type Problem } from "./client";

/** The purpose of a request. */
export type Doing = "asking" | "changing" | "login";

const THEN: Readonly<Record<Doing, string>> = {
  asking: "It is asked again as soon as it is back.",
  changing: "Whether it did this is seen as soon as it is back.",
  login: "Is it running?",
};

/** One problem, with its remedy. */
export function problemText({ message, remedy }: Pick<Problem, "message" | "remedy">): string {
  return remedy === "" ? message : `${message}; ${remedy}`;
}

/** A failure in words that include the remedy. */
export function whyOf(error: unknown, doing: Doing = "asking"): string {
  if (error instanceof Refused) {
    return refusal(error);
  }
  const then = THEN[doing];
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return `The controller takes too long to answer. ${then}`;
  }
  if (error instanceof Unreachable) {
    return `The controller does not answer. ${then}`;
  }
  if (error instanceof SyntaxError) {
    return "What answers is not the controller: its answer is no JSON. Is there a proxy that wants a login of its own?";
  }
  return `The controller told something that this page does not understand (${String(error)}). Load the page again.`;
}

function refusal(refused: Refused): string {
  if (refused.problems.length > 0) {
    return refused.problems.map(problemText).join(". ");
  }
  return (
    refused.failure.detail ??
    refused.failure.title ??
    `The controller is starting, or something answers in its place (HTTP ${refused.status}).`
  );
}

/** True if the same request may succeed later, without being changed. */
export function mayMend(error: unknown): boolean {
  const notOfTheApp = error instanceof Refused && error.status === 404 && error.problems.length === 0;
  return (
    !(error instanceof Refused) || error.status >= 500 || error.status === 408 || error.status === 429 || notOfTheApp
  );
}

/** The title of a form when the controller refuses its content. */
export function refusalTitle(error: unknown): string {
  switch (error instanceof Refused ? error.status : 0) {
    case 400:
      return "Something in it is not valid: see below.";
    case 403:
      return "This user may look but not write.";
    case 409:
      return "Something else has this already: see below.";
    case 422:
      return "The network cannot do this yet: see below.";
    default:
      return "The controller could not be asked: see below.";
  }
}
