import { chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { beginEmbedded, endBegun, takeBegun } from '../../../src/database/embedded/head-start.ts';
import { endLaunch } from '../../../src/database/embedded/launch.ts';

let home = '';
let stateDirectory = '';

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'head-start-')));
  // As root the server runs as somebody else, who has to get here.
  await chmod(home, 0o755);
  vi.stubEnv('TMPDIR', home);
  stateDirectory = path.join(home, 'state');
});
afterEach(async () => {
  await endBegun();
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

describe('the embedded server, begun before the options are read', () => {
  it('is taken once, by whom it was begun for', async () => {
    beginEmbedded(['--state-dir', stateDirectory, '--sample', '--tools=all'], {});
    expect(takeBegun({ stateDirectory, sample: false })).toBeUndefined();
    expect(takeBegun({ stateDirectory, sample: true, writable: true })).toBeUndefined();
    expect(takeBegun({ stateDirectory, sample: true, dataDir: home })).toBeUndefined();
    expect(takeBegun({ stateDirectory: home, sample: true })).toBeUndefined();
    const taken = takeBegun({ stateDirectory, sample: true });
    expect(takeBegun({ stateDirectory, sample: true })).toBeUndefined();
    await taken?.server.ready;
    if (taken !== undefined) await endLaunch(taken);
    expect(await readdir(home)).toEqual([]);
  });

  it('ends, and leaves nothing, where nobody takes it', async () => {
    beginEmbedded(['--state-dir', stateDirectory], {});
    expect(await readdir(home)).toEqual([expect.stringMatching(/^mcp-sql-/)]);
    await endBegun();
    expect(await readdir(home)).toEqual([]);
  });

  it.each<readonly [string, readonly string[], Readonly<Record<string, string>>]>([
    ['a URL', ['postgres://h/db'], {}],
    ['a subcommand', ['list'], {}],
    ['a question', ['--help'], {}],
    ['a data directory', ['--data-dir', 'x'], {}],
    ['a configuration file', ['--config', 'x'], {}],
    ['what takes away the right to write', ['--writable', '--read-only'], {}],
    ['a flag without its value', ['--state-dir'], {}],
    ['options in the environment', [], { MCP_SQL_URL: 'postgres://h/db' }],
  ])('is not begun with %s', async (_, argv, env) => {
    beginEmbedded(argv, env);
    expect(await readdir(home)).toEqual([]);
  });
});
