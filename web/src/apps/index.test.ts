// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

it("each folder is an app with an address of its own, and the network's is the last", async () => {
  vi.stubGlobal("document", { baseURI: "http://controller/srv6/ui/" });
  vi.stubGlobal("location", { hash: "" });
  vi.stubGlobal("addEventListener", vi.fn());
  const { apps } = await import(".");
  const folders = Object.keys(import.meta.glob("./*/*")).map((path) => path.split("/")[1]);
  expect(apps.length).toBe(new Set(folders).size);
  expect(new Set(apps.map(({ id }) => id)).size).toBe(apps.length);
  expect(apps.map(({ id }) => id).at(-1)).toBe("nodes");
});
