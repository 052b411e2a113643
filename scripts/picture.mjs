// Takes the README's picture from the page that `npm start` wrote into build/notebooks: the part between two elements.
// Usage: node scripts/picture.mjs
import { resolve } from "node:path";
import { chromium } from "playwright-core";

const [from, to] = ["h2:has-text('The first call compiles')", "img[alt^='A call looks']"];
const margin = 24;

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const tab = await browser.newPage({ viewport: { width: 1000, height: 900 }, colorScheme: "light" });
await tab.goto(`file://${resolve("build/notebooks/01-first-kernel.html")}`);
const top = (selector) =>
  tab.locator(selector).evaluate((element) => element.getBoundingClientRect().top + window.scrollY);
const y = (await top(from)) - margin;
const height = (await top(to)) - margin - y;
await tab.screenshot({
  path: "docs/first-kernel.png",
  fullPage: true,
  clip: { x: 0, y, width: 1000, height },
});
await browser.close();
