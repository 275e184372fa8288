// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vitest/config";

/** unit: beside the code, no browser. e2e: whole stories in a browser over a running lab, see e2e/browser.ts. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["src/**/*.test.ts"] } },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.e2e.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
