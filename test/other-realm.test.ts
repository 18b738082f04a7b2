import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess, type Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PRELOADED = new URL('support/other-realm.mjs', import.meta.url).href;

let directory = '';

/** Starts the program of a server in another realm than that of Node.js. Its state directory does not exist yet. */
function start(server: 'fs' | 'git' | 'sql', ...options: readonly string[]): Promise<Session> {
  const program = fileURLToPath(new URL(`../servers/${server}/dist/bin.js`, import.meta.url));
  const state = path.join(directory, `state-${server}`);
  const args = ['--conditions=@org/dist', '--import', PRELOADED, program, '--state-dir', state, ...options];
  return connectProcess({ command: process.execPath, args });
}

beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), 'realm-')));
  execFileSync('git', ['init', '--quiet', 'work'], { cwd: directory });
  const committer = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'commit.gpgSign=false'];
  const commit = ['commit', '--quiet', '--allow-empty', '--message=Begin'];
  execFileSync('git', [...committer, ...commit], { cwd: path.join(directory, 'work') });
});

afterAll(() => rm(directory, { recursive: true, force: true }));

// Jest runs tests in a realm of its own, in which errors of Node.js are not instances of `Error`.
describe('in another realm than that of the errors of Node.js,', () => {
  it('the file server recognises missing files and creates files', async () => {
    await using session = await start('fs', directory);
    expect(await session.fails('read_text_file', { path: 'missing.md' })).toMatch(/^NOT_FOUND/);
    await session.call('write_file', { path: 'new.md', content: 'text\n' });
    await session.call('write_file', { path: 'new.md', content: 'other\n' });
    expect(await session.text('read_text_file', { path: 'new.md' })).toBe('other\n');
  });

  it('the git server rejects a command line that is too long', async () => {
    await using session = await start('git', path.join(directory, 'work'));
    const text = await session.fails('git_log', { paths: ['a'.repeat(140_000)] });
    expect(text).toMatch(/^INVALID_ARGUMENTS: the arguments are longer than a command line may be/);
  });

  it('the SQL server starts an embedded database and stores results', async () => {
    await using session = await start('sql');
    expect(await session.text('query', { sql: 'select 7 as seven', keep: true })).toContain('seven');
  });

  it('the SQL server reports that a database cannot be reached', async () => {
    await using session = await start('sql', 'postgres://reader@127.0.0.1:1/shop');
    expect(await session.fails('query', { sql: 'select 1' })).toMatch(/^CONNECTION/);
  });
});
