// SPDX-License-Identifier: Apache-2.0
import { useRef } from "preact/hooks";
import { strings } from "./strings";

/**
 * Stands where something would be that is not there.
 *
 * @param was it was there while this page was open
 * @param children the consequences
 */
export function Missing(props: {
  readonly one: string;
  readonly id: string;
  readonly was: boolean;
  readonly children?: string;
}) {
  const { one, id, was, children = "" } = props;
  return <p>{strings.missing(one, id, was, children)}</p>;
}

/** True if the object has existed at any time since the component was mounted. */
export function useWasThere(isThere: boolean): boolean {
  const was = useRef(false);
  was.current ||= isThere;
  return was.current;
}
