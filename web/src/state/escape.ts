// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useRef } from "preact/hooks";

/** The elements that Escape closes, the outermost first. */
const open: (() => void)[] = [];

/** Closes the element opened last, unless the focused element has handled the key. */
export function escape(event: Pick<KeyboardEvent, "key" | "defaultPrevented" | "preventDefault">): void {
  const innermost = open.at(-1);
  if (event.key === "Escape" && !event.defaultPrevented && innermost !== undefined) {
    event.preventDefault();
    innermost();
  }
}

/** @returns takes it out again: it is closed */
export function closesByEscape(close: () => void): () => void {
  if (open.length === 0) {
    globalThis.addEventListener("keydown", escape);
  }
  open.push(close);
  return () => {
    const at = open.indexOf(close);
    if (at >= 0) {
      open.splice(at, 1);
    }
    if (open.length === 0) {
      globalThis.removeEventListener("keydown", escape);
    }
  };
}

/**
 * While `isOpen`, Escape closes it, after elements opened later. A layout effect: with an effect after painting, a key
 * pressed in between would close the element that is closed already.
 */
export function useEscape(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useLayoutEffect(() => (isOpen ? closesByEscape(() => latest.current()) : undefined), [isOpen]);
}
