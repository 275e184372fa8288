// SPDX-License-Identifier: Apache-2.0
// The build for Maven: installs the packages of package-lock.json if it changed; generates the API's types, checks and
// bundles if any of their inputs changed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DOCUMENTS } from "./documents.mjs";

const LOCK = "package-lock.json";
const INSTALLED = "node_modules/.installed-from";
const BUNDLE = "target/dist";
const BUNDLED = "target/.bundled-from";
const NO_SOURCES = new Set(["node_modules", "target", "bundle", "README.md", "pom.xml"]);
const ELSEWHERE = ["../conformance/vectors"];

function run(...words) {
  console.log(`$ ${words.join(" ")}`);
  const { status } = spawnSync(words[0], words.slice(1), { stdio: "inherit" });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}

/** The inputs of the bundle: it changes when a file does. */
function sources() {
  const files = readdirSync(".", { withFileTypes: true })
    .filter(({ name }) => !NO_SOURCES.has(name))
    .flatMap((one) => (one.isDirectory() ? filesOf(one.name) : [one.name]))
    .concat(ELSEWHERE.flatMap(filesOf));
  const digest = createHash("sha256");
  for (const file of [...files, ...DOCUMENTS.map(({ path }) => path)].sort()) {
    digest.update(`${file}\n`).update(readFileSync(file));
  }
  return digest.digest("hex");
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath ?? one.path, one.name));
}

function built() {
  return existsSync(BUNDLE) && existsSync(BUNDLED) && readFileSync(BUNDLED, "utf8") === sources();
}

const lock = readFileSync(LOCK, "utf8");
if (!existsSync(INSTALLED) || readFileSync(INSTALLED, "utf8") !== lock) {
  run("npm", "ci", "--no-progress");
  writeFileSync(INSTALLED, lock);
}
if (!process.argv.includes("--install") && !built()) {
  rmSync(BUNDLED, { force: true });
  run("npm", "run", "--silent", "generate");
  const state = sources();
  run("npm", "run", "--silent", "types");
  run("npm", "run", "--silent", "bundle");
  writeFileSync(BUNDLED, state);
}
