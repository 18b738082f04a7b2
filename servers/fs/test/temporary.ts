import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { connect, type Era, type Session } from '@org/mcp-testing';
import { onTestFinished } from 'vitest';

import { FilesystemOptions, FilesystemServer } from '../src/index.ts';

/** A new directory, by its real path, that goes with the test. */
export async function temporaryDirectory(above: string = tmpdir()): Promise<string> {
  const directory = await realpath(await mkdtemp(path.join(above, 'mcp-fs-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Where a server keeps its state, which goes with the test; it is made when it is needed. */
export function temporaryState(): string {
  const directory = path.join(tmpdir(), `mcp-fs-state-${randomUUID()}`);
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Options with these values over the defaults. */
export function optionsWith(given: Partial<FilesystemOptions>): FilesystemOptions {
  return Object.assign(new FilesystemOptions(), { stateDir: given.stateDir ?? temporaryState() }, given);
}

/** A filesystem server with these options over the defaults. */
export function serverFor(given: Partial<FilesystemOptions>): FilesystemServer {
  return new FilesystemServer(optionsWith(given));
}

/** A client of a filesystem server in memory. */
export function connectFiles(given: Partial<FilesystemOptions>, era?: Era): Promise<Session> {
  return connect(serverFor(given), { ...(era && { era }) });
}
