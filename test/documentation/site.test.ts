import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { buildSite } from '../../scripts/workspace/site.mjs';

const CHROMIUM = '/usr/bin/chromium';
/** Chromium needs the first flag to run as root. Most of the other flags prevent connections to hosts of Google. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};
const PAGES = ['/', '/install/claude-desktop', '/build/quick-start', '/reference/permissions', '/reference/api/host'];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

let directory = '';
let server: Server;
let browser: Browser;
let origin = '';

/** Serves the files of the built site, as a web server with clean URLs does. */
async function serve(): Promise<void> {
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = pathname.endsWith('/') ? `${pathname}index.html` : path.extname(pathname) === '' ? `${pathname}.html` : pathname;
    void readFile(path.join(directory, name)).then(
      (body) => response.writeHead(200, { 'content-type': TYPES[path.extname(name)] ?? 'text/plain' }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function openPage(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${origin}${address}`, { waitUntil: 'networkidle' });
  return page;
}

async function findViolations(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ path: AXE });
  const { violations } = await page.evaluate<{ readonly violations: readonly Violation[] }>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200) ?? ''}`);
}

describe.skipIf(!existsSync(CHROMIUM))('the site of the documentation, in Chromium', () => {
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'site-'));
    const { code, output } = await buildSite(directory);
    if (code !== 0) throw new Error(output);
    await serve();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    server.close();
    await rm(directory, { recursive: true, force: true });
  });

  it.each(PAGES.flatMap((page) => (['light', 'dark'] as const).map((scheme) => [page, scheme] as const)))(
    'is accessible: %s, %s',
    { timeout: 60_000 },
    async (address, colorScheme) => {
      await using context = await browser.newContext({ colorScheme });
      expect(await findViolations(await openPage(context, address))).toEqual([]);
    },
  );

  it.each(PAGES)('fits a narrow window and sends no request elsewhere: %s', { timeout: 60_000 }, async (address) => {
    await using context = await browser.newContext({ viewport: { width: 380, height: 800 } });
    const page = await context.newPage();
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    await page.goto(`${origin}${address}`, { waitUntil: 'networkidle' });
    expect([...hosts]).toEqual([origin]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(380);
  });

  it('finds a page by its words', { timeout: 60_000 }, async () => {
    await using context = await browser.newContext();
    const page = await openPage(context, '/');
    // A click before Vue has started is lost, so the test waits for the start of Vue.
    await page.waitForFunction("'__vue_app__' in document.querySelector('#app')");
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('searchbox').fill('unsuitable for read-only');
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option').first().textContent()).toMatch(/troubleshooting|calls fail/i);
  });

  it('has texts for language models', async () => {
    const [list, full] = await Promise.all(
      ['llms.txt', 'llms-full.txt'].map((name) => readFile(path.join(directory, name), 'utf8')),
    );
    expect(list).toContain('- [Quick start](/build/quick-start): This page leads from an empty folder');
    expect(full).toContain('# Quick start');
  });
});
