// Takes the README's pictures from pages that `jitlab run --html` wrote into build/notebooks: the part between two elements.
// Usage: node scripts/picture.mjs [notebook ...], default: all of them.
import { resolve } from "node:path";
import { chromium } from "playwright-core";

const pictures = {
  "01-first-kernel": {
    picture: "docs/first-kernel.png",
    from: "h2:has-text('The first call compiles')",
    to: "img[alt^='A call looks']",
  },
  "08-gallery": {
    picture: "docs/gallery.png",
    from: "h2:has-text('Compile against launch')",
    to: "h2:has-text('Where kernels come from')",
  },
};
const margin = 24;

const given = process.argv.slice(2);
const names = given.length > 0 ? given : Object.keys(pictures);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
for (const name of names) {
  const { picture, from, to } = pictures[name];
  const tab = await browser.newPage({ viewport: { width: 1000, height: 900 }, colorScheme: "light" });
  await tab.goto(`file://${resolve(`build/notebooks/${name}.html`)}`);
  const top = (selector) =>
    tab.locator(selector).evaluate((element) => element.getBoundingClientRect().top + window.scrollY);
  const y = (await top(from)) - margin;
  const height = (await top(to)) - margin - y;
  await tab.screenshot({ path: picture, fullPage: true, clip: { x: 0, y, width: 1000, height } });
}
await browser.close();
