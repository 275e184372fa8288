// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

/**
 * Screenshots beside approved ones, made small: a pixel of the approved picture is the mean of SQUARE by SQUARE pixels of the
 * page. So letters that another version of a font or of the browser smooths otherwise are the same, and a panel that is
 * elsewhere, a map that is not drawn or colours of the other theme are not. Where a page has not the fonts that were approved,
 * its lines break elsewhere and nothing of this can be said: there only the structure counts (structure.ts).
 *
 * SEXTANT_APPROVE=1 writes the present picture as approved; to be looked at before it is committed.
 */

const FOLDER = "e2e/approved";
const SQUARE = 16;
/** The most that a colour of a square may differ, of 255. */
const DIFFERENT_FROM = 40;
/** So much of a page may be different: a row more, a counter that has another digit. */
const SHARE = 0.06;
const SAMPLE = "Sextant fcbb:bbbb:100::/48 l1 ⇄ l3";

interface Compared {
  readonly small: string;
  /** The share of squares that differ; undefined if there is nothing to compare with. */
  readonly share: number | undefined;
}

/** @returns the differences, or "" */
export async function differs(page: Page, name: string): Promise<string> {
  const file = join(FOLDER, `${name}.png`);
  const shot = (await page.screenshot({ animations: "disabled", caret: "hide" })).toString("base64");
  const approved = existsSync(file) ? readFileSync(file).toString("base64") : "";
  const { small, share } = await compare(page, shot, approved);
  if (process.env["SEXTANT_APPROVE"] === "1") {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, Buffer.from(small, "base64"));
    return "";
  }
  if (share === undefined) {
    return `${name}: no approved picture of this size; look at it, and run with SEXTANT_APPROVE=1`;
  }
  return share <= SHARE ? "" : `${name}: ${(100 * share).toFixed(1)} % of it differ from ${file}`;
}

/** The fonts are those that were there when the pictures were approved. */
export async function hasApprovedFonts(page: Page): Promise<boolean> {
  const file = join(FOLDER, "fonts.json");
  const widths = await page.evaluate((sample) => {
    const context = document.createElement("canvas").getContext("2d");
    const style = getComputedStyle(document.body);
    return ["--font", "--mono"].map((family) => {
      if (context === null) {
        return 0;
      }
      context.font = `16px ${style.getPropertyValue(family)}`;
      return Math.round(context.measureText(sample).width);
    });
  }, SAMPLE);
  if (process.env["SEXTANT_APPROVE"] === "1") {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, `[${widths.join(", ")}]\n`);
  }
  const same = existsSync(file) && JSON.stringify(JSON.parse(readFileSync(file, "utf8"))) === JSON.stringify(widths);
  if (!same) {
    console.log(`other fonts than those of ${file} (${widths.join(", ")}): screenshots are not compared, structure is`);
  }
  return same;
}

/** Done on a page of its own, whose security policy allows it. */
async function compare(page: Page, shot: string, approved: string): Promise<Compared> {
  const other = await page.context().newPage();
  try {
    return await other.evaluate(
      async ([now, before, square, limit]) => {
        const load = async (data: string): Promise<HTMLImageElement> => {
          const image = new Image();
          image.src = `data:image/png;base64,${data}`;
          await image.decode();
          return image;
        };
        const drawnAt = (image: HTMLImageElement, width: number, height: number): CanvasRenderingContext2D => {
          const canvas = document.createElement("canvas");
          [canvas.width, canvas.height] = [width, height];
          const context = canvas.getContext("2d", { willReadFrequently: true });
          if (context === null) {
            throw new Error("this browser has no canvas");
          }
          context.imageSmoothingQuality = "high";
          context.drawImage(image, 0, 0, width, height);
          return context;
        };
        const image = await load(now);
        const [width, height] = [Math.ceil(image.width / square), Math.ceil(image.height / square)];
        const context = drawnAt(image, width, height);
        const small = context.canvas.toDataURL("image/png").split(",")[1] ?? "";
        const approvedImage = before === "" ? undefined : await load(before);
        if (approvedImage?.width !== width || approvedImage.height !== height) {
          return { small, share: undefined };
        }
        const one = context.getImageData(0, 0, width, height).data;
        const two = drawnAt(approvedImage, width, height).getImageData(0, 0, width, height).data;
        let different = 0;
        for (let at = 0; at < one.length; at += 4) {
          if ([0, 1, 2].some((part) => Math.abs((one[at + part] ?? 0) - (two[at + part] ?? 0)) > limit)) {
            different++;
          }
        }
        return { small, share: different / (width * height) };
      },
      [shot, approved, SQUARE, DIFFERENT_FROM] as const,
    );
  } finally {
    await other.close();
  }
}
