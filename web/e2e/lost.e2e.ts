// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { clickOn, killAgent, launch, logIn, millisUntil, open, picture, SEEN_WITHIN_MILLIS } from "./browser";

// The last story (vitest.config.ts): the agent is not started again.
it("a lost node is seen within two seconds, with the reason", async () => {
  const browser = await launch();
  const { page, complaints } = await open(browser);
  await logIn(page);
  expect(await millisUntil(page, "1 node lost", () => killAgent("v8"))).toBeLessThan(SEEN_WITHIN_MILLIS);
  await clickOn(page, "v8");
  await page.getByRole("heading", { name: "v8", exact: true }).waitFor();
  await page.locator(".content .state").getByText("LOST").first().waitFor();
  await picture(page, "lost");
  expect(complaints).toEqual([]);
  await browser.close();
});
