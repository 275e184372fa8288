// SPDX-License-Identifier: Apache-2.0
import type { Page } from "playwright-core";
import type { NetworkMap } from "../src/map/NetworkMap";

/**
 * The faults in the layout of a page on its screen, in words; measured, so that they are the same with other fonts and
 * without a graphics card.
 */
export async function misplaced(page: Page): Promise<readonly string[]> {
  return [...(await outOfPlace(page)), ...(await onMap(page))];
}

/** WCAG 2.2, 2.5.8. */
const TARGET_PIXELS = 24;

function outOfPlace(page: Page): Promise<readonly string[]> {
  return page.evaluate((least) => {
    const found: string[] = [];
    const nameOf = (one: Element): string =>
      `${one.tagName.toLowerCase()} “${(one.getAttribute("aria-label") ?? one.textContent).trim().slice(0, 40)}”`;
    for (const frame of [document.documentElement, ...document.querySelectorAll(".content, .top")]) {
      if (frame.scrollWidth > frame.clientWidth + 1) {
        found.push(`${frame.className || "the page"} scrolls sideways: ${frame.scrollWidth} > ${frame.clientWidth}`);
      }
    }
    // A link in a text is as high as its line.
    for (const one of document.querySelectorAll("button, .button, input, select, summary, .tabs a, .card, .handle")) {
      const { width, height } = one.getBoundingClientRect();
      if (width > 0 && (width < least - 0.5 || height < least - 0.5)) {
        found.push(`${nameOf(one)} is ${width.toFixed(0)} × ${height.toFixed(0)}`);
      }
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      if (text.parentElement?.closest("code") === null) {
        continue;
      }
      for (const { index, 0: group } of (text.textContent ?? "").matchAll(/[0-9a-f]{2,4}(?=[:/]|$)/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + group.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) {
          found.push(`a group is broken: ${group} of ${text.parentElement?.textContent ?? ""}`);
        }
      }
    }
    return found;
  }, TARGET_PIXELS);
}

/** Everything is in view and can be pointed at, and no name lies over another. */
function onMap(page: Page): Promise<readonly string[]> {
  return page.getByTestId("map").evaluate((element, least) => {
    const { map } = element as HTMLElement & { map: NetworkMap };
    const { width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) {
      return [];
    }
    const found: string[] = [];
    const shown = map.read();
    const inside = (x: number, y: number): boolean => x >= 0 && y >= 0 && x <= width && y <= height;
    for (const thing of map.cy.nodes(".node, .host").toArray()) {
      const { x, y } = thing.renderedPosition();
      if (!inside(x, y)) {
        found.push(`${thing.id()} is at ${x.toFixed(0)}, ${y.toFixed(0)} of ${width} × ${height}`);
      }
      const [px, py] = [x + element.getBoundingClientRect().x, y + element.getBoundingClientRect().y];
      for (const button of element.parentElement?.querySelectorAll(".time, .zoom") ?? []) {
        const box = button.getBoundingClientRect();
        const reach = thing.renderedWidth() / 2;
        if (px > box.x - reach && px < box.right + reach && py > box.y - reach && py < box.bottom + reach) {
          found.push(`${thing.id()} lies under a button`);
        }
      }
      if (thing.hasClass("node") && thing.renderedWidth() < least) {
        found.push(`${thing.id()} is ${thing.renderedWidth().toFixed(1)} wide`);
      }
      if (thing.hasClass("node") && !shown.some(({ id }) => id === thing.id())) {
        found.push(`the name of ${thing.id()} is not there`);
      }
    }
    for (const [i, { text, box }] of shown.entries()) {
      for (const other of shown.slice(i + 1)) {
        const across = Math.min(box.x + box.width, other.box.x + other.box.width) - Math.max(box.x, other.box.x);
        const down = Math.min(box.y + box.height, other.box.y + other.box.height) - Math.max(box.y, other.box.y);
        if (across > 0.5 && down > 0.5) {
          found.push(`${text} and ${other.text} lie over each other`);
        }
      }
    }
    return found;
  }, TARGET_PIXELS);
}
