// SPDX-License-Identifier: Apache-2.0
import { effect, signal } from "@preact/signals";

export type Theme = "light" | "dark";

const KEPT = "sextant.theme";
const kept = localStorage.getItem(KEPT);
const system = matchMedia("(prefers-color-scheme: dark)");

/** The person's choice, or the system's. */
export const theme = signal<Theme>(kept === "dark" || kept === "light" ? kept : system.matches ? "dark" : "light");

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function toggleTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  localStorage.setItem(KEPT, theme.value);
}
