import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where servers keep what outlives them: a directory of the tests, not the user's. */
    readonly state: string;
  }
}

/** Before all tests of the server; initdb takes most of a start, and in one directory it is run once for all of them. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const state = await mkdtemp(path.join(tmpdir(), 'state-'));
  provide('state', state);
  return () => rm(state, { recursive: true, force: true });
}
