// SPDX-License-Identifier: Apache-2.0

/** What works, but perhaps not as it was meant. */
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
