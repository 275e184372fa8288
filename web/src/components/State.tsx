// SPDX-License-Identifier: Apache-2.0

const LOOKS: Record<string, { readonly look: string; readonly sign: string }> = {
  INSTALLED: { look: "good", sign: "✓" },
  SYNCED: { look: "good", sign: "✓" },
  READY: { look: "good", sign: "✓" },
  STARTING: { look: "wait", sign: "…" },
  PENDING: { look: "wait", sign: "…" },
  READING: { look: "wait", sign: "…" },
  REMOVING: { look: "wait", sign: "…" },
  ELSEWHERE: { look: "wait", sign: "↗" },
  DEGRADED: { look: "warn", sign: "!" },
  FAILED: { look: "bad", sign: "✕" },
  LOST: { look: "bad", sign: "✕" },
};

/** A state as a word, also one that a later controller has, with a sign and a colour for those who can use them. */
export function State({ state }: { readonly state: string }) {
  const { look, sign } = LOOKS[state] ?? { look: "wait", sign: "?" };
  return (
    <span class={`state ${look}`}>
      <span aria-hidden="true">{sign}</span> {state}
    </span>
  );
}
