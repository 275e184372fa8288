// SPDX-License-Identifier: Apache-2.0
import { ESLint } from "eslint";
import { beforeAll, expect, it } from "vitest";

/** The layers of eslint.config.js alone: the other rules want files with types. */
const eslint = new ESLint({
  ruleFilter: ({ ruleId }) => ruleId.startsWith("no-restricted-"),
  overrideConfig: {
    languageOptions: { parserOptions: { project: null } },
    linterOptions: { reportUnusedDisableDirectives: "off" },
  },
});

async function refusals(from: string, text: string): Promise<readonly (string | null)[]> {
  const [found] = await eslint.lintText(text, { filePath: from });
  return (found?.messages ?? []).map(({ ruleId }) => ruleId);
}

const importing = (what: string): string => `import * as it from "${what}";\nexport { it };\n`;

// The time to load modules once is not a test's time.
beforeAll(() => refusals("src/Shell.tsx", ""), 60_000);

it.each([
  ["src/apps/toy/Panel.tsx", "./api"],
  ["src/apps/toy/index.ts", "./style.css"],
  ["src/apps/toy/index.ts", "../app"],
  ["src/apps/toy/Panel.tsx", "../../components/Back"],
  ["src/apps/toy/Panel.tsx", "preact/hooks"],
  ["src/state/intents.ts", "../api/client"],
  ["src/map/MapView.tsx", "../state/picture"],
  ["src/Shell.tsx", "./apps"],
  ["src/Shell.tsx", "./apps/app"],
])("%s may know %s", async (from, imported) => {
  expect(await refusals(from, importing(imported))).toEqual([]);
});

it.each([
  ["src/apps/toy/Panel.tsx", "../usid/policies"],
  ["src/apps/toy/Panel.tsx", "../livelive"],
  ["src/apps/toy/Panel.tsx", "../index"],
  ["src/apps/toy/Panel.tsx", "../../apps/usid/policies"],
  ["src/apps/toy/Panel.tsx", "../../map/NetworkMap"],
  ["src/apps/toy/deeper/Panel.tsx", "../../usid/policies"],
  ["src/apps/index.ts", "./usid"],
  ["src/apps/app.ts", "./usid/policies"],
  ["src/Shell.tsx", "./apps/usid"],
  ["src/map/MapView.tsx", "../apps/usid"],
  ["src/map/NetworkMap.ts", "../apps/app"],
  ["src/model/network.ts", "../apps/usid/draft"],
  ["src/model/network.ts", "preact"],
  ["src/state/intents.ts", "../apps/usid/policies"],
  ["src/state/intents.ts", "../components/Back"],
  ["src/api/client.ts", "../state/session"],
  ["src/components/Back.tsx", "../apps/usid"],
  ["src/another/thing.ts", "../model/network"],
])("%s may not know %s", async (from, imported) => {
  expect(await refusals(from, importing(imported))).toEqual(["no-restricted-imports"]);
});

it.each([
  'export { policies } from "../usid/policies";',
  'import "../usid/style.css";',
  'import type { Policy } from "../usid/api";\nexport type Own = Policy;',
  'export const policies = await import("../usid/policies");',
  'export type Own = import("../usid/api").Policy;',
])("an app may not know another by %s", async (text) => {
  expect(await refusals("src/apps/toy/Panel.tsx", text)).toHaveLength(1);
});

it.each([
  "export const A = () => <p>Nodes</p>;",
  'export const A = () => <input placeholder="Filter nodes" />;',
  "export const A = ({ id }: { id: string }) => <section aria-label={`Ports of ${id}`} />;",
  'export const A = ({ up }: { up: boolean }) => <b>{up ? "up" : "down"}</b>;',
  'export const A = "The controller is unreachable.";',
  "export const A = (id: string) => `no connection to ${id}`;",
])("user-visible text stands in strings.ts: %s", async (text) => {
  expect(new Set(await refusals("src/apps/toy/Panel.tsx", text))).toEqual(new Set(["no-restricted-syntax"]));
  expect(await refusals("src/apps/toy/strings.tsx", text)).toEqual([]);
});
