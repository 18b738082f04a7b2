import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { optionsWith, useDatabase } from '../fixtures/postgres.ts';
import { PostgresServer } from '../../src/index.ts';

const database = useDatabase({ sample: true });

async function temporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'exports-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

const SQL = 'select id, name from customers order by id';

describe.each(ERAS)('export with --export-dir, on a %s connection,', (era) => {
  it('saves the file that the link names, for its owner only', async () => {
    const exportDir = await temporaryDirectory();
    await using session = await database.connect({ exportDir }, era);
    const { structuredContent, content } = await session.call('export', { sql: SQL, filename: 'customers.csv' });
    const { path: saved, uri, bytes } = structuredContent as { path: string; uri: string; bytes: number };
    expect(saved).toBe(path.join(exportDir, 'customers.csv'));
    expect(JSON.stringify(content)).toContain(`saved as ${saved}`);
    const [read] = (await session.client.readResource({ uri })).contents;
    const text = await readFile(saved, 'utf8');
    expect(text.startsWith(read !== undefined && 'text' in read ? read.text : '')).toBe(true);
    expect(Buffer.byteLength(text)).toBe(bytes);
    expect((await stat(saved)).mode & 0o777).toBe(0o600);
    expect(await readdir(exportDir)).toEqual(['customers.csv']);
  });

  it('never replaces a file: names get numbers', async () => {
    const exportDir = await temporaryDirectory();
    await writeFile(path.join(exportDir, 'export.csv'), 'mine');
    await symlink('/nowhere/else', path.join(exportDir, 'export-2.csv'));
    await using session = await database.connect({ exportDir }, era);
    const both = await Promise.all([session.call('export', { sql: SQL }), session.call('export', { sql: SQL })]);
    const saved = both.map(({ structuredContent }) => path.basename((structuredContent as { path: string }).path));
    expect(saved.toSorted()).toEqual(['export-3.csv', 'export-4.csv']);
    expect(await readFile(path.join(exportDir, 'export.csv'), 'utf8')).toBe('mine');
    expect((await readdir(exportDir)).length).toBe(4);
  });

  it('leaves no part of a file if the statement fails', async () => {
    const exportDir = await temporaryDirectory();
    await using session = await database.connect({ exportDir }, era);
    expect(await session.fails('export', { sql: 'select 1 / (2000 - id) from customers order by id' })).toMatch(/^QUERY_FAILED/);
    expect(await readdir(exportDir)).toEqual([]);
  });

  it('fails if the directory disappears, and drops the export', async () => {
    const exportDir = path.join(await temporaryDirectory(), 'gone');
    await mkdir(exportDir);
    await using session = await database.connect({ exportDir }, era);
    await rm(exportDir, { recursive: true });
    expect(await session.fails('export', { sql: SQL })).toMatch(/^IO: the export cannot be saved in /);
  });

  it.each(['../x.csv', 'a/b.csv', '.hidden', '/tmp/x.csv'])('rejects the name %s', async (filename) => {
    const exportDir = await temporaryDirectory();
    await using session = await database.connect({ exportDir }, era);
    expect(await session.fails('export', { sql: SQL, filename })).toMatch(/^INVALID_ARGUMENTS/);
    expect(await readdir(exportDir)).toEqual([]);
  });
});

describe('a server with --export-dir', () => {
  it.each(['missing', 'a file'])('does not start if the directory is %s', async (kind) => {
    const exportDir = path.join(await temporaryDirectory(), 'place');
    if (kind === 'a file') {
      await writeFile(exportDir, '');
      await chmod(exportDir, 0o777);
    }
    await using server = new PostgresServer(optionsWith({ url: database.url(), exportDir }));
    await expect(server.open()).rejects.toThrow(/^files cannot be created in .*place, the directory of --export-dir: /);
  });
});
