// SPDX-License-Identifier: Apache-2.0
import { Refused, Unreachable, type Problem } from "./client";
import { strings } from "./strings";

/** The purpose of a request. */
export type Doing = "asking" | "changing" | "login";

const THEN: Readonly<Record<Doing, string>> = {
  asking: strings.retries,
  changing: strings.outcomeUnknown,
  login: strings.isItRunning,
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
    return strings.timeout(then);
  }
  if (error instanceof Unreachable) {
    return strings.unreachable(then);
  }
  if (error instanceof SyntaxError) {
    return strings.notJson;
  }
  return strings.unexpected(String(error));
}

function refusal(refused: Refused): string {
  if (refused.problems.length > 0) {
    return refused.problems.map(problemText).join(". ");
  }
  return refused.failure.detail ?? refused.failure.title ?? strings.starting(refused.status);
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
      return strings.invalid;
    case 403:
      return strings.readOnlyUser;
    case 409:
      return strings.conflict;
    case 422:
      return strings.unfeasible;
    default:
      return strings.checkFailed;
  }
}
