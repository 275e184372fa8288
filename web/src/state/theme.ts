// SPDX-License-Identifier: Apache-2.0
import { effect, signal } from "@preact/signals";
import { keep, kept } from "./kept";

export type Theme = "light" | "dark";

const KEY = "sextant.theme";
const chosen = kept(KEY);
const system = matchMedia("(prefers-color-scheme: dark)");

/** The person's choice, or the system's. */
export const theme = signal<Theme>(
  chosen === "dark" || chosen === "light" ? chosen : system.matches ? "dark" : "light",
);

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function toggleTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  keep(KEY, theme.value);
}
