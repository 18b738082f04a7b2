import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { onTestFinished } from 'vitest';

/** Creates a directory that is removed after the test, and returns its path. For pictures, the directory has a fixed name. */
export async function temporaryDirectory(): Promise<string> {
  const isPicture = process.env['MCP_TEST_PICTURES'] !== undefined;
  const directory = isPicture ? path.join(tmpdir(), 'project') : await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-views-')));
  await mkdir(directory, { recursive: true });
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
