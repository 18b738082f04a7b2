import path from 'node:path';

import { FilesystemOptions, FilesystemServer } from '@org/mcp-fs';
import { connect, type Era, type Session } from '@org/mcp-testing';
import { onTestFinished } from 'vitest';

import { temporaryDirectory } from '../support/directories.ts';
import { APPS } from '../support/shown.ts';

/** Connects a client that shows views to a server of an empty directory, until the end of the test. */
export async function openFiles(
  era: Era,
  given: Partial<FilesystemOptions> = {},
): Promise<{ readonly session: Session; readonly root: string }> {
  const root = await temporaryDirectory();
  const options = Object.assign(new FilesystemOptions(), { directories: [root], stateDir: path.join(root, '.state') }, given);
  const session = await connect(new FilesystemServer(options), { era, capabilities: APPS });
  onTestFinished(() => session[Symbol.asyncDispose]());
  return { session, root };
}
