// SPDX-License-Identifier: Apache-2.0
// The OpenAPI of every module that has one, as Maven left it.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const MODULES = "../apps";

export const DOCUMENTS = readdirSync(MODULES)
  .map((module) => ({ module, path: join(MODULES, module, "target/classes/META-INF/sextant/openapi.json") }))
  .filter(({ path }) => existsSync(path));
