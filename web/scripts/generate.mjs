// SPDX-License-Identifier: Apache-2.0
// Types the client by the OpenAPI of every module that has one. Answers of apps/NAME or apps/srv6-NAME are typed by
// src/apps/NAME/api.gen.ts if there is such a folder; requests of every page, to the northbound, by
// src/api/northbound.gen.ts.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";
import { DOCUMENTS } from "./documents.mjs";

const NORTHBOUND = "srv6-northbound";

/** Where the types of a module go; undefined if nothing of the page asks it. */
function typesOf(module) {
  if (module === NORTHBOUND) {
    return "src/api/northbound.gen.ts";
  }
  const folder = join("src/apps", module.replace(/^srv6-/, ""));
  return existsSync(folder) ? join(folder, "api.gen.ts") : undefined;
}

if (!DOCUMENTS.some(({ module }) => module === NORTHBOUND)) {
  console.error(`${NORTHBOUND} has no OpenAPI: build it with mvn -pl web -am package`);
  process.exit(1);
}
for (const { module, path } of DOCUMENTS) {
  const types = typesOf(module);
  if (types === undefined) {
    console.log(`${path} → nothing: no folder of src/apps shows ${module}`);
    continue;
  }
  const ast = await openapiTS(pathToFileURL(path), { emptyObjectsUnknown: true });
  writeFileSync(types, COMMENT_HEADER + astToString(ast));
  console.log(`${path} → ${types}`);
}
