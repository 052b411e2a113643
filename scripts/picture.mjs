// Takes the README's picture from the page that `npm start` writes: the part between two headings.
// Usage: node scripts/picture.mjs [page] [picture]
import { resolve } from "node:path";
import { chromium } from "playwright-core";

const [page = "build/notebooks/01-first-kernel.html", picture = "docs/first-kernel.png"] =
  process.argv.slice(2);
const margin = 24;

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const tab = await browser.newPage({ viewport: { width: 1000, height: 900 }, colorScheme: "light" });
await tab.goto(`file://${resolve(page)}`);
const top = (heading) =>
  tab
    .locator("h2", { hasText: heading })
    .evaluate((element) => element.getBoundingClientRect().top + window.scrollY);
const from = (await top("The first call compiles")) - margin;
const to = (await top("Your own functor")) - margin;
await tab.screenshot({
  path: picture,
  fullPage: true,
  clip: { x: 0, y: from, width: 1000, height: to - from },
});
await browser.close();
