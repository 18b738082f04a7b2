import { chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { startEarly, endEarlyStart, takeEarlyStart } from '../../../../src/postgres/database/embedded/early-start.ts';
import { endLaunch } from '../../../../src/postgres/database/embedded/launch.ts';

let home = '';
let stateDirectory = '';

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'head-start-')));
  // If the tests run as root, the server runs as another user, who must be able to enter this directory.
  await chmod(home, 0o755);
  vi.stubEnv('TMPDIR', home);
  stateDirectory = path.join(home, 'state');
});
afterEach(async () => {
  await endEarlyStart();
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

describe('the embedded server, started before the options are parsed,', () => {
  it('is taken once, and only with the options it was started with', async () => {
    startEarly(['--state-dir', stateDirectory, '--sample', '--tools=all'], {});
    expect(takeEarlyStart({ stateDirectory, sample: false })).toBeUndefined();
    expect(takeEarlyStart({ stateDirectory, sample: true, writable: true })).toBeUndefined();
    expect(takeEarlyStart({ stateDirectory, sample: true, dataDir: home })).toBeUndefined();
    expect(takeEarlyStart({ stateDirectory: home, sample: true })).toBeUndefined();
    const taken = takeEarlyStart({ stateDirectory, sample: true });
    expect(takeEarlyStart({ stateDirectory, sample: true })).toBeUndefined();
    await taken?.server.ready;
    if (taken !== undefined) await endLaunch(taken);
    expect(await readdir(home)).toEqual([]);
  });

  it('ends and removes its directory if it is not taken', async () => {
    startEarly(['--state-dir', stateDirectory], {});
    expect(await readdir(home)).toEqual([expect.stringMatching(/^mcp-sql-/)]);
    await endEarlyStart();
    expect(await readdir(home)).toEqual([]);
  });

  it.each<readonly [string, readonly string[], Readonly<Record<string, string>>]>([
    ['a URL', ['postgres://h/db'], {}],
    ['a subcommand', ['list'], {}],
    ['the option --help', ['--help'], {}],
    ['a data directory', ['--data-dir', 'x'], {}],
    ['a configuration file', ['--config', 'x'], {}],
    ['the option --read-only', ['--writable', '--read-only'], {}],
    ['a flag without its value', ['--state-dir'], {}],
    ['options in the environment', [], { MCP_SQL_URL: 'postgres://h/db' }],
  ])('is not started with %s', async (_, argv, env) => {
    startEarly(argv, env);
    expect(await readdir(home)).toEqual([]);
  });
});
