// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vite";

/** Served at /srv6/ui/; every address in the bundle is relative, so that a proxy may put it elsewhere. */
export default defineConfig({
  base: "./",
  build: {
    outDir: "target/dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
});
