// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files in the order of their names, and last the one that leaves the lab with a node less. */
class LostLast extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification): number => (file.moduleId.endsWith("/lost.e2e.ts") ? 1 : 0);
    return Promise.resolve(
      files.toSorted((one, other) => rank(one) - rank(other) || one.moduleId.localeCompare(other.moduleId)),
    );
  }
}

/** unit: beside the code, no browser. e2e: whole stories in a browser over a running lab, see e2e/browser.ts. */
export default defineConfig({
  test: {
    sequence: { sequencer: LostLast },
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
