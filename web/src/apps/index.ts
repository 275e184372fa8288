// SPDX-License-Identifier: Apache-2.0
import type { App } from "./app";

const found = import.meta.glob<App>("./*/index.{ts,tsx}", { eager: true, import: "default" });

/** Every folder beside this file is an app; in the order of the tabs. */
export const apps: readonly App[] = Object.values(found).sort(
  (one, other) => one.place - other.place || one.title.localeCompare(other.title),
);
