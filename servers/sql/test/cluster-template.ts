import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where embedded servers of tests keep what initdb made, for each other. */
    readonly templates: string;
  }
}

/** Before all tests of the server: initdb takes most of a start, so that it is run once for all of them. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const templates = await mkdtemp(path.join(tmpdir(), 'templates-'));
  provide('templates', templates);
  return () => rm(templates, { recursive: true, force: true });
}
