// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { isGone } from "../api/client";
import { mayMend, whyOf } from "../api/why";
import { Errand } from "../state/errand";
import { looks } from "../state/network";
import { strings } from "./strings";

/** The state of an asynchronous question. */
export type Asked<T> =
  | { readonly is: "waiting" }
  | { readonly is: "here"; readonly value: T }
  | { readonly is: "gone" }
  | { readonly is: "failed"; readonly why: string };

/**
 * Asks again whenever one of `on` changes, when the controller was away, and after a failure that may mend; the last
 * answer stays until the next is here. The subject of the question must not change: give the component a key.
 */
export function useAsked<T>(ask: () => Promise<T>, on: readonly unknown[]): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ is: "waiting" });
  const latest = useRef(ask);
  latest.current = ask;
  const errand = useMemo(
    () =>
      new Errand(async () => {
        try {
          setAsked({ is: "here", value: await latest.current() });
          return true;
        } catch (error) {
          setAsked(isGone(error) ? { is: "gone" } : { is: "failed", why: whyOf(error) });
          return !mayMend(error);
        }
      }),
    [],
  );
  useEffect(() => errand.want(), [...on, looks.value]);
  useEffect(() => () => errand.drop(), []);
  return asked;
}

/** Grows every so often while the component is there. */
export function useEvery(millis: number): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setCount((before) => before + 1), millis);
    return () => clearInterval(timer);
  }, [millis]);
  return count;
}

/** Stands where an answer will be: its name, or why it does not come. */
export function Waiting({ what, why }: { readonly what: string; readonly why: string }) {
  return why === "" ? (
    <p class="quiet" role="status">
      {strings.loading(what)}
    </p>
  ) : (
    <p class="trouble" role="alert">
      {why}
    </p>
  );
}
