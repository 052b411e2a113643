// A notebook in a front end, for the tests of a block: a workplace, a server, a browser with one page.
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { FrontEnd } from "./front-end.js";
import {
  createWorkplace,
  launchBrowser,
  type Server,
  screenshot,
  type Workplace,
  writeCells,
} from "./support.js";

/** What the tests of a block work with. */
export interface OpenNotebook {
  readonly page: Page;
  /** Keeps a picture of the page, under a name that begins with the block's. */
  picture(name: string): Promise<void>;
}

/** The notebook's cells and the window that shows it. */
export interface NotebookToOpen {
  readonly name: string;
  readonly cells: readonly string[];
  readonly width: number;
  readonly height?: number;
}

/** Opens a notebook of these cells before the tests, and ends everything after them; a test that fails leaves a picture. */
export function useNotebook(
  frontEnd: FrontEnd,
  program: string | undefined,
  { name, cells, width, height = 1000 }: NotebookToOpen,
): OpenNotebook {
  let place: Workplace;
  let server: Server;
  let browser: Browser;
  let page: Page;
  const picture = (of: string) => screenshot(page, `${name}-${of}`);
  beforeAll(async () => {
    place = createWorkplace();
    writeCells(join(place.folder, `${name}.ipynb`), cells);
    server = await frontEnd.serve(program ?? "", place);
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width, height } });
    page.setDefaultTimeout(60_000);
    await frontEnd.open(page, server, `${name}.ipynb`);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await picture("failed");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    place?.remove();
  });
  return {
    get page() {
      return page;
    },
    picture,
  };
}
