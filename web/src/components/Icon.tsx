// SPDX-License-Identifier: Apache-2.0

/** Strokes on a grid of 24 in the colour of the text; the meaning stands in its button's label. */
export function Icon({ d }: { readonly d: string }) {
  return (
    <svg class="stroke" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      <path d={d} />
    </svg>
  );
}
