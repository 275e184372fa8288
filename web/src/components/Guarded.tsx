// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useErrorBoundary } from "preact/hooks";
import { whyOf } from "../api/why";

/** An element that cannot show its data says so, and takes nothing else of the page with it. A new key tries again. */
export function Guarded({ children }: { readonly children: ComponentChildren }) {
  const error = useErrorBoundary()[0] as unknown;
  return error === undefined ? <>{children}</> : <p class="trouble">{whyOf(error)}</p>;
}
