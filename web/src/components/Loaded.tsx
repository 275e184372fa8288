// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { Refused } from "../api/client";

/** What an asynchronous question has come to. */
export type Asked<T> =
  | { readonly is: "waiting" }
  | { readonly is: "here"; readonly value: T }
  | { readonly is: "failed"; readonly why: string };

/** Asks again whenever one of `on` changes; the last answer stays until the next is here. */
export function useAsked<T>(ask: () => Promise<T>, on: readonly unknown[]): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ is: "waiting" });
  useEffect(() => {
    let current = true;
    ask().then(
      (value) => current && setAsked({ is: "here", value }),
      (error: unknown) => current && setAsked({ is: "failed", why: whyOf(error) }),
    );
    return () => {
      current = false;
    };
  }, on);
  return asked;
}

/** A failure in words that say what to do. */
export function whyOf(error: unknown): string {
  if (error instanceof Refused) {
    const problem = error.problems[0];
    return problem === undefined ? error.message : `${problem.message}; ${problem.remedy}`;
  }
  return "The controller does not answer. It is asked again as soon as it is back.";
}
