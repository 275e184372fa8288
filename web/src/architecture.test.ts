// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";

/** Who may know whom. A folder that is not listed may be known by nobody but the page itself. */
const MAY_KNOW: Readonly<Record<string, readonly string[]>> = {
  model: [],
  api: [],
  state: ["api", "model"],
  components: ["api", "model", "state"],
  map: ["model", "state", "components"],
  apps: ["api", "model", "state", "components"],
};

const sources = import.meta.glob<string>("./*/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });

/** The folder under src that an import leads to; undefined for a library. */
function target(from: string, imported: string): string | undefined {
  return imported.startsWith(".") ? new URL(imported, `file:///${from}`).pathname.split("/")[1] : undefined;
}

const files = Object.entries(sources)
  .map(([path, text]) => ({ path: path.replace("./", ""), text }))
  .filter(({ path }) => !path.includes(".test.") && !path.includes(".gen."));

const imports = files.flatMap(({ path, text }) =>
  [...text.matchAll(/^(?:import|export) [^;]*? from "([^"]+)"/gms)].map((match) => ({ path, to: match[1] ?? "" })),
);

describe("layers", () => {
  it("are all looked at", () => {
    expect(new Set(files.map(({ path }) => path.split("/")[0]))).toEqual(new Set(Object.keys(MAY_KNOW)));
    expect(imports.length).toBeGreaterThan(100);
  });

  it("know only what stands below them", () => {
    const wrong = imports.filter(({ path, to }) => {
      const own = path.split("/")[0] ?? "";
      const other = target(path, to);
      return other !== undefined && other !== own && !MAY_KNOW[own]?.includes(other);
    });
    expect(wrong).toEqual([]);
  });

  it("model uses no library", () => {
    expect(imports.filter(({ path, to }) => path.startsWith("model/") && !to.startsWith("."))).toEqual([]);
  });

  it("apps do not know each other", () => {
    const appOf = (path: string): string => path.split("/")[1] ?? "";
    const wrong = imports.filter(({ path, to }) => {
      const there = to.startsWith(".") ? new URL(to, `file:///${path}`).pathname.slice(1) : "";
      return (
        path.split("/").length > 2 &&
        there.startsWith("apps/") &&
        there.split("/").length > 2 &&
        appOf(path) !== appOf(there)
      );
    });
    expect(wrong).toEqual([]);
  });
});
