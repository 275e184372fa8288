// SPDX-License-Identifier: Apache-2.0

/** Settings that work, but perhaps not as they were meant. */
export function Warnings({ of }: { readonly of: readonly string[] }) {
  return (
    <>
      {of.map((warning) => (
        <p class="warning" key={warning}>
          {warning}
        </p>
      ))}
    </>
  );
}
