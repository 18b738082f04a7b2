import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import type { Session } from '@org/mcp-testing';
import { openView, startBrowser, type View, type ViewOptions } from '@org/mcp-testing/views';
import { expect } from 'vitest';

export const HAS_CHROMIUM: boolean = existsSync('/usr/bin/chromium');

/** Capabilities of a client that shows views. */
export const APPS: { readonly extensions: Readonly<Record<string, { readonly mimeTypes: string[] }>> } = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const PICTURES = fileURLToPath(new URL('../../../docs/images/views', import.meta.url));

let browser: ReturnType<typeof startBrowser> | undefined;

/** Closes the browser of a test file. */
export async function closeBrowser(): Promise<void> {
  const started = await browser;
  browser = undefined;
  await started?.close();
}

/**
 * Calls a tool and opens its view. When the view is closed, its scripts must have had no errors, and it must have sent no
 * requests.
 */
export async function show(session: Session, tool: string, args: object = {}, options: ViewOptions = {}): Promise<View> {
  // Each test file starts one browser, because a start takes longer than most tests.
  browser ??= startBrowser();
  const view = await openView(session, tool, { ...args }, { browser: await browser, ...options });
  if (view.result.isError === true && !JSON.stringify(view.result).includes('CONFIRMATION_REQUIRED')) {
    await view[Symbol.asyncDispose]();
    throw new Error(JSON.stringify(view.result.content));
  }
  // This time limit ends before that of the test, so that the error names the element that does not appear.
  view.page.setDefaultTimeout(10_000);
  const close = view[Symbol.asyncDispose].bind(view);
  return Object.assign(view, {
    async [Symbol.asyncDispose]() {
      await close();
      expect([view.errors, view.requests]).toEqual([[], []]);
    },
  });
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Checks a view with axe: nothing serious may be found. */
export async function expectAccessible({ frame }: View): Promise<void> {
  await frame.evaluate(await readFile(AXE, 'utf8'));
  const violations = await frame.evaluate<readonly Violation[]>('axe.run(document).then(({ violations }) => violations)');
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`)])).toEqual([]);
}

/** Stores a picture of a view in the documentation, if the environment variable MCP_TEST_PICTURES is set. */
export async function takePicture({ page, frame }: View, name: string): Promise<void> {
  if (process.env['MCP_TEST_PICTURES'] === undefined) return;
  await mkdir(PICTURES, { recursive: true });
  const height = await frame.evaluate<number>('document.querySelector("main").getBoundingClientRect().height');
  const { width = 720 } = page.viewportSize() ?? {};
  await page.setViewportSize({ width, height: Math.min(1200, Math.ceil(height)) });
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}
