// SPDX-License-Identifier: Apache-2.0
// Types the client by the OpenAPI of every module that has one. What apps/NAME or apps/srv6-NAME answers is typed by
// src/apps/NAME/api.gen.ts if there is such a folder; what every page asks, the northbound, by src/api/northbound.gen.ts.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";

const MODULES = "../apps";
const DOCUMENT = "target/classes/META-INF/sextant/openapi.json";
const NORTHBOUND = "srv6-northbound";

/** Where the types of a module go; undefined if nothing of the page asks it. */
function typesOf(module) {
  if (module === NORTHBOUND) {
    return "src/api/northbound.gen.ts";
  }
  const folder = join("src/apps", module.replace(/^srv6-/, ""));
  return existsSync(folder) ? join(folder, "api.gen.ts") : undefined;
}

const modules = readdirSync(MODULES).filter((module) => existsSync(join(MODULES, module, DOCUMENT)));
if (!modules.includes(NORTHBOUND)) {
  console.error(`${join(MODULES, NORTHBOUND, DOCUMENT)} is not there: build it with mvn -pl web -am package`);
  process.exit(1);
}
for (const module of modules) {
  const document = join(MODULES, module, DOCUMENT);
  const types = typesOf(module);
  if (types === undefined) {
    console.log(`${document} → nothing: no folder of src/apps shows ${module}`);
    continue;
  }
  const ast = await openapiTS(pathToFileURL(document), { emptyObjectsUnknown: true });
  writeFileSync(types, COMMENT_HEADER + astToString(ast));
  console.log(`${document} → ${types}`);
}
