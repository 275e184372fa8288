// SPDX-License-Identifier: Apache-2.0
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** Classes of an app are its own: two apps may call something the same, and no style of one changes another. */
const APPS = "src/apps";
const apps = readdirSync(APPS).filter((name) => existsSync(join(APPS, name, "style.css")));

/** The rules beside all others of a sheet: the text before the braces that no braces are around. */
function outermost(css: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let words = "";
  for (const letter of css.replace(/\/\*.*?\*\//gs, "")) {
    if (letter === "{" && depth++ === 0) {
      found.push(words.trim());
    }
    depth -= letter === "}" ? 1 : 0;
    words = letter === "}" || depth > 0 ? "" : words + letter;
  }
  return [...found, words.trim()].filter((one) => one !== "");
}

it("a sheet is read with all that stands beside its scope", () => {
  expect(outermost('/* a {} */ @scope ([data-app="a"]) { b { c: d; } } e, f { g: h; } @import "i";')).toEqual([
    '@scope ([data-app="a"])',
    "e, f",
    '@import "i";',
  ]);
});

it.each(apps)("the styles of %s are of what it shows and of nothing else", (app) => {
  const text = (name: string): string => readFileSync(join(APPS, app, name), "utf8");
  const id = /^ {2}id: "([^"]+)",$/m.exec(text("index.ts"))?.[1];
  expect(outermost(text("style.css"))).toEqual([`@scope ([data-app="${id ?? ""}"])`]);
});
