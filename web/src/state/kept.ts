// SPDX-License-Identifier: Apache-2.0

/**
 * What this browser remembers between visits. It may forbid that, be full, or hold what another version wrote; a page
 * that cannot remember works all the same.
 */
export function kept(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    return; // it is forgotten with the page
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    return; // nothing was kept
  }
}
