import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, realpath, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { locateNative } from '../../../src/database/embedded/binaries.ts';
import { EmbeddedPostgres } from '../../../src/database/embedded/embedded-postgres.ts';
import { Quiet } from '../../../src/database/embedded/quiet.ts';
import { Template } from '../../../src/database/embedded/template.ts';

const native = locateNative();
/** With a template and its spare, for tests to begin with a copy of. */
let made = '';
let home = '';
let templates = '';

beforeAll(async () => {
  made = await mkdtemp(path.join(tmpdir(), 'template-'));
  await using running = await EmbeddedPostgres.start({ native, stateDirectory: made });
  await running.prepared();
});
afterAll(() => rm(made, { recursive: true, force: true }));

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'template-')));
  // As root the server runs as somebody else, who has to get here.
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

/** What a start has left; the name of the template. */
function givenTemplate(): string {
  execFileSync('cp', ['-Rp', made, path.join(home, 'state')]);
  return templateName();
}

function templateName(): string {
  return readdirSync(templates).find((name) => !name.includes('.')) ?? '';
}

/** Starts and ends a server that has the time to prepare the next one; the name of the template. */
async function startOnce(): Promise<string> {
  await using running = await start();
  await running.prepared();
  return templateName();
}

async function roleOf(running: EmbeddedPostgres): Promise<unknown> {
  const { Client } = (await import('pg')).default;
  const client = new Client(running.reader);
  await client.connect();
  const { rows } = await client.query('select current_user, current_setting($1)', ['default_transaction_read_only']);
  await client.end();
  return rows;
}

const READER = [{ current_user: 'mcp_ro', current_setting: 'on' }];

describe('the template of temporary data', () => {
  it('is made by the first start, with a spare beside it, and nobody else may read them', async () => {
    const name = await startOnce();
    expect(await readdir(templates)).toEqual([name, `${name}.spare`]);
    expect((await stat(templates)).mode & 0o077).toBe(0);
    expect(await readdir(home)).toEqual(['state']);
  });

  it('has a new spare once nobody waits, or once the server is ended before that', async () => {
    givenTemplate();
    const quiet = new Quiet();
    const options = { native, stateDirectory: path.join(home, 'state') };
    await using waiting = await EmbeddedPostgres.start({ ...options, quiet });
    expect(template().hasSpare).toBe(false);
    quiet.reach();
    await waiting.prepared();
    expect(template().hasSpare).toBe(true);

    const ended = await EmbeddedPostgres.start({ ...options, quiet: new Quiet() });
    expect(template().hasSpare).toBe(false);
    await ended[Symbol.asyncDispose]();
    expect(template().hasSpare).toBe(true);
  });

  it('gives the spare to one of those that start at once, a copy to the others, and each its reader', async () => {
    const name = givenTemplate();
    const { ino } = await stat(path.join(templates, name));
    const { ino: spare } = await stat(path.join(templates, `${name}.spare`));
    const started = await Promise.all([start(), start(), start()]);
    const directories = (await readdir(home)).filter((each) => each !== 'state');
    const inodes = await Promise.all(directories.map(async (each) => (await stat(path.join(home, each, 'server/data'))).ino));
    expect(inodes.filter((each) => each === spare)).toHaveLength(1);
    expect(new Set(inodes).size).toBe(3);
    for (const running of started) expect(await roleOf(running)).toEqual(READER);
    await Promise.all(started.map((running) => running.prepared()));
    expect(await readdir(templates)).toEqual([name, `${name}.spare`]);
    expect((await stat(path.join(templates, name))).ino).toBe(ino);
    await Promise.all(started.map((running) => running[Symbol.asyncDispose]()));
  });

  it('lets a spare be claimed once', () => {
    givenTemplate();
    const claimed = ['a', 'b'].map((name) => template().claimSpare(path.join(home, name)));
    expect(claimed.map((cluster) => cluster?.directory)).toEqual([path.join(home, 'a'), undefined]);
  });

  it('has for each content one of its own', async () => {
    givenTemplate();
    const stateDirectory = path.join(home, 'state');
    await using running = await EmbeddedPostgres.start({ native, stateDirectory, writable: true, sample: true });
    await running.prepared();
    expect(await readdir(templates)).toHaveLength(4);
    await using later = await EmbeddedPostgres.start({ native, stateDirectory, writable: true, sample: true });
    expect(await roleOf(later)).toEqual(READER);
    const { Client } = (await import('pg')).default;
    const client = new Client(later.writer);
    await client.connect();
    expect((await client.query('delete from shop.order_lines where order_id = 1')).rowCount).toBeGreaterThan(0);
    await client.end();
  });

  const BROKEN: readonly (readonly [string, (directory: string) => Promise<void>])[] = [
    ['of which files are missing', (directory) => rm(path.join(directory, 'global'), { recursive: true })],
    ['whose password is missing', (directory) => rm(path.join(directory, 'mcp-sql-superuser'))],
    ['whose roles are garbage', (directory) => writeFile(path.join(directory, 'mcp-sql-roles'), '{')],
    ['that PostgreSQL cannot read', (directory) => writeFile(path.join(directory, 'PG_VERSION'), '18\n\u0000garbage\n')],
    ['with a configuration that is none', (directory) => writeFile(path.join(directory, 'postgresql.conf'), 'no such = setting')],
  ];

  it.each(BROKEN)('%s does not keep the server from starting, and is made again', async (_, breakIt) => {
    const name = givenTemplate();
    await rm(path.join(templates, `${name}.spare`), { recursive: true });
    await breakIt(path.join(templates, name));
    // A new directory may have the number of the old one.
    await writeFile(path.join(templates, name, 'of the old one'), '');
    await startOnce();
    expect(await readdir(path.join(templates, name))).not.toContain('of the old one');
    await using running = await start();
    expect(await roleOf(running)).toEqual(READER);
  });

  it.each(BROKEN)('with a spare %s does not keep the server from starting either', async (_, breakIt) => {
    const name = givenTemplate();
    await breakIt(path.join(templates, `${name}.spare`));
    await using running = await start();
    expect(await roleOf(running)).toEqual(READER);
    await running.prepared();
    expect(await readdir(templates)).toEqual([name, `${name}.spare`]);
  });

  it('is done without where it cannot be kept', async () => {
    await writeFile(path.join(home, 'state'), 'a file');
    await using running = await start();
    expect(await roleOf(running)).toEqual(READER);
  });

  it('is made by a later start where the first one ended before', async () => {
    await (await start())[Symbol.asyncDispose]();
    expect(await readdir(home)).toEqual([]);
    await expect(startOnce()).resolves.toMatch(/^postgres-18-/);
  });
});

describe('a preparation that was killed', () => {
  it('is never claimed, and is removed by a start some time after', async () => {
    const name = givenTemplate();
    const spare = path.join(templates, `${name}.spare`);
    const unfinished = [`${name}.preparing`, `${name}.new-a1b2c3`].map((each) => path.join(templates, each));
    for (const directory of unfinished) await mkdir(directory);
    await rename(spare, path.join(unfinished[0] ?? '', 'data'));
    expect(template().claimSpare(path.join(home, 'claimed'))).toBeUndefined();
    // Another process may still be at it.
    await startOnce();
    expect(unfinished.filter((directory) => existsSync(directory))).toEqual(unfinished);
    expect(existsSync(spare)).toBe(false);
    const before = new Date(Date.now() - 3_600_000);
    for (const directory of unfinished) await utimes(directory, before, before);
    await startOnce();
    expect(await readdir(templates)).toEqual([name, `${name}.spare`]);
  });
});

describe('what other versions have left', () => {
  it('is neither claimed nor touched, until nobody has used it for a month', async () => {
    const name = givenTemplate();
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
