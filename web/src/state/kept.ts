// SPDX-License-Identifier: Apache-2.0

/**
 * The data that this browser keeps between visits. It may forbid that, be full, or hold data of another version; a page
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
