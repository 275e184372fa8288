// SPDX-License-Identifier: Apache-2.0
// What Maven runs: installs what package-lock.json names if it changed, generates the API's types, checks, bundles.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const LOCK = "package-lock.json";
const STAMP = "node_modules/.installed-from";

function run(...words) {
  console.log(`$ ${words.join(" ")}`);
  const { status } = spawnSync(words[0], words.slice(1), { stdio: "inherit" });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}

const lock = readFileSync(LOCK, "utf8");
if (!existsSync(STAMP) || readFileSync(STAMP, "utf8") !== lock) {
  run("npm", "ci", "--no-progress");
  writeFileSync(STAMP, lock);
}
if (!process.argv.includes("--install")) {
  run("npm", "run", "--silent", "generate");
  run("npm", "run", "--silent", "types");
  run("npm", "run", "--silent", "bundle");
}
