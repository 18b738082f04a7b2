import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, realpath, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { locateNative } from '../../../../src/postgres/database/embedded/binaries.ts';
import { EmbeddedPostgres } from '../../../../src/postgres/database/embedded/embedded-postgres.ts';
import { IdleMoment } from '../../../../src/postgres/database/embedded/idle-moment.ts';
import { Template } from '../../../../src/postgres/database/embedded/template.ts';

const native = locateNative();
/** A state directory with a template and its spare, which tests copy. */
let preparedState = '';
let home = '';
let templates = '';

beforeAll(async () => {
  preparedState = await mkdtemp(path.join(tmpdir(), 'template-'));
  await using running = await EmbeddedPostgres.start({ native, stateDirectory: preparedState });
  await running.prepared();
});
afterAll(() => rm(preparedState, { recursive: true, force: true }));

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'template-')));
  // If the tests run as root, the server runs as another user, who must be able to enter this directory.
  await chmod(home, 0o755);
  vi.stubEnv('TMPDIR', home);
  templates = path.join(home, 'state', 'templates');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

const start = (): Promise<EmbeddedPostgres> => EmbeddedPostgres.start({ native, stateDirectory: path.join(home, 'state') });
const template = (): Template => new Template(path.join(home, 'state'), { sample: false, writable: false });

/** Copies a template and its spare into the state directory. Returns the name of the template. */
function copyTemplate(): string {
  execFileSync('cp', ['-Rp', preparedState, path.join(home, 'state')]);
  return templateName();
}

function templateName(): string {
  return readdirSync(templates).find((name) => !name.includes('.')) ?? '';
}

/** Starts a server, waits until the next start is prepared, and ends the server. Returns the name of the template. */
async function startOnce(): Promise<string> {
  await using running = await start();
  await running.prepared();
  return templateName();
}

async function readRole(running: EmbeddedPostgres): Promise<unknown> {
  const { Client } = (await import('pg')).default;
  const client = new Client(running.reader);
  await client.connect();
  const { rows } = await client.query('select current_user, current_setting($1)', ['default_transaction_read_only']);
  await client.end();
  return rows;
}

const READER = [{ current_user: 'mcp_ro', current_setting: 'on' }];

describe('the template of temporary data', () => {
  it('is created by the first start together with a spare, and only the user may read both', async () => {
    const name = await startOnce();
    expect(await readdir(templates)).toEqual([name, `${name}.spare`]);
    expect((await stat(templates)).mode & 0o077).toBe(0);
    expect(await readdir(home)).toEqual(['state']);
  });

  it('gets a new spare in the first idle moment, or when the server ends before that', async () => {
    copyTemplate();
    const idleMoment = new IdleMoment();
    const options = { native, stateDirectory: path.join(home, 'state') };
    await using waiting = await EmbeddedPostgres.start({ ...options, idleMoment });
    expect(template().hasSpare).toBe(false);
    idleMoment.reach();
    await waiting.prepared();
    expect(template().hasSpare).toBe(true);

    const ended = await EmbeddedPostgres.start({ ...options, idleMoment: new IdleMoment() });
    expect(template().hasSpare).toBe(false);
    await ended[Symbol.asyncDispose]();
    expect(template().hasSpare).toBe(true);
  });

  it('gives the spare to one of several concurrent starts and copies to the others, each with its reader', async () => {
    const name = copyTemplate();
    const { ino } = await stat(path.join(templates, name));
    const { ino: spare } = await stat(path.join(templates, `${name}.spare`));
    const started = await Promise.all([start(), start(), start()]);
    const directories = (await readdir(home)).filter((each) => each !== 'state');
    const inodes = await Promise.all(directories.map(async (each) => (await stat(path.join(home, each, 'server/data'))).ino));
    expect(inodes.filter((each) => each === spare)).toHaveLength(1);
    expect(new Set(inodes).size).toBe(3);
    for (const running of started) expect(await readRole(running)).toEqual(READER);
    await Promise.all(started.map((running) => running.prepared()));
    expect(await readdir(templates)).toEqual([name, `${name}.spare`]);
    expect((await stat(path.join(templates, name))).ino).toBe(ino);
    await Promise.all(started.map((running) => running[Symbol.asyncDispose]()));
  });

  it('lets only one start claim the spare', () => {
    copyTemplate();
    const claimed = ['a', 'b'].map((name) => template().claimSpare(path.join(home, name)));
    expect(claimed.map((cluster) => cluster?.directory)).toEqual([path.join(home, 'a'), undefined]);
  });

  it('is separate for different contents', async () => {
    copyTemplate();
    const stateDirectory = path.join(home, 'state');
    await using running = await EmbeddedPostgres.start({ native, stateDirectory, writable: true, sample: true });
    await running.prepared();
    expect(await readdir(templates)).toHaveLength(4);
    await using later = await EmbeddedPostgres.start({ native, stateDirectory, writable: true, sample: true });
    expect(await readRole(later)).toEqual(READER);
    const { Client } = (await import('pg')).default;
    const client = new Client(later.writer);
    await client.connect();
    expect((await client.query('delete from shop.order_lines where order_id = 1')).rowCount).toBeGreaterThan(0);
    await client.end();
  });

  const BROKEN: readonly (readonly [string, (directory: string) => Promise<void>])[] = [
    ['with missing files', (directory) => rm(path.join(directory, 'global'), { recursive: true })],
    ['without its password', (directory) => rm(path.join(directory, 'mcp-sql-superuser'))],
    ['with an invalid file of roles', (directory) => writeFile(path.join(directory, 'mcp-sql-roles'), '{')],
    ['with an unknown version', (directory) => writeFile(path.join(directory, 'PG_VERSION'), '18\n\u0000garbage\n')],
    ['with an invalid configuration', (directory) => writeFile(path.join(directory, 'postgresql.conf'), 'no such = setting')],
  ];

  it.each(BROKEN)('does not prevent a start %s, and is created again', async (_, breakIt) => {
    const name = copyTemplate();
    await rm(path.join(templates, `${name}.spare`), { recursive: true });
    await breakIt(path.join(templates, name));
    // The inode number cannot identify the old directory, because the new directory may reuse the number. A file marks the old
    // directory.
    await writeFile(path.join(templates, name, 'of the old one'), '');
    await startOnce();
    expect(await readdir(path.join(templates, name))).not.toContain('of the old one');
    await using running = await start();
    expect(await readRole(running)).toEqual(READER);
  });

  it.each(BROKEN)('does not prevent a start, nor does a spare %s', async (_, breakIt) => {
    const name = copyTemplate();
    await breakIt(path.join(templates, `${name}.spare`));
    await using running = await start();
    expect(await readRole(running)).toEqual(READER);
    await running.prepared();
    expect(await readdir(templates)).toEqual([name, `${name}.spare`]);
  });

  it('is not needed for a start if the state directory is not writable', async () => {
    await writeFile(path.join(home, 'state'), 'a file');
    await using running = await start();
    expect(await readRole(running)).toEqual(READER);
  });

  it('is created by a later start if the first server ended too early', async () => {
    await (await start())[Symbol.asyncDispose]();
    expect(await readdir(home)).toEqual([]);
    await expect(startOnce()).resolves.toMatch(/^postgres-18-/);
  });
});

describe('the directory of a killed preparation', () => {
  it('is never claimed, and is removed by a start at least ten minutes later', async () => {
    const name = copyTemplate();
    const spare = path.join(templates, `${name}.spare`);
    const unfinished = [`${name}.preparing`, `${name}.new-a1b2c3`].map((each) => path.join(templates, each));
    for (const directory of unfinished) await mkdir(directory);
    await rename(spare, path.join(unfinished[0] ?? '', 'data'));
    expect(template().claimSpare(path.join(home, 'claimed'))).toBeUndefined();
    // A recent directory is kept, because another process may still be working in it.
    await startOnce();
    expect(unfinished.filter((directory) => existsSync(directory))).toEqual(unfinished);
    expect(existsSync(spare)).toBe(false);
    const before = new Date(Date.now() - 3_600_000);
    for (const directory of unfinished) await utimes(directory, before, before);
    await startOnce();
    expect(await readdir(templates)).toEqual([name, `${name}.spare`]);
  });
});

describe('a template of another version', () => {
  it('is neither claimed nor changed, and is removed when unused for 30 days', async () => {
    const name = copyTemplate();
    const others = ['postgres-17-linux-x64-0a1b2c3d', 'postgres-17-linux-x64-0a1b2c3d.spare'].map((each) =>
      path.join(templates, each),
    );
    await rename(path.join(templates, name), others[0] ?? '');
    await rename(path.join(templates, `${name}.spare`), others[1] ?? '');
    await startOnce();
    expect(await readdir(templates)).toHaveLength(4);
    const before = new Date(Date.now() - 31 * 24 * 3_600_000);
    for (const directory of others) await utimes(directory, before, before);
    await startOnce();
    expect(await readdir(templates)).toEqual([name, `${name}.spare`]);
  });
});
