import { existsSync } from 'node:fs';

import type { Browser } from 'playwright-core';

const PROGRAMS: readonly string[] = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Starts Chromium without a window, to show several views in it.
 *
 * @param given path of the program. Default: a usual place of Chromium or
 * Chrome
 *
 * @throws Error if no program of Chromium is found
 */
export async function startBrowser(given?: string): Promise<Browser> {
  const executablePath = given ?? PROGRAMS.find((program) => existsSync(program));
  if (executablePath === undefined) throw new Error('Chromium was not found; install it, or pass its path as `executablePath`');
  // Loaded only for views, because other tests do not need the package.
  const { chromium } = await import('playwright-core');
  // The sandbox of Chromium does not start for root.
  const args = process.geteuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}
