import { execFileSync, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { platform } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { GONE_MS, pidsIn, processesIn, until } from './fixtures/processes.ts';
import { connectGit, git, repositoryOf, writeIn } from './fixtures/temporary.ts';

const BIN = fileURLToPath(new URL('../bin/mcp-git.js', import.meta.url));

/** Creates a repository in which git waits forever when it reads the first version of the file. */
async function endlessRepository(): Promise<string> {
  const top = await repositoryOf([
    ['Begin', { 'a.txt': 'one\n' }],
    ['Extend', { 'a.txt': 'one\ntwo\n' }],
  ]);
  const oid = git(top, ['rev-parse', 'HEAD~1:a.txt']).trim();
  const object = path.join(top, '.git/objects', oid.slice(0, 2), oid.slice(2));
  await rm(object);
  execFileSync('mkfifo', [object]);
  return top;
}

function runs(top: string, command: string): () => Promise<boolean> {
  return async () => (await processesIn(top)).some((each) => each.startsWith(`git --no-pager ${command} `));
}

/** Creates a repository whose filter and its child processes ignore SIGTERM. */
async function stubbornRepository(): Promise<string> {
  const top = await repositoryOf([['Begin', { 'a.txt': 'one\n', '.gitattributes': '*.txt filter=stubborn\n' }]]);
  git(top, ['config', 'filter.stubborn.clean', `trap '' TERM INT HUP; sleep 600 & echo started >&2; sleep 600; wait`]);
  await writeIn(top, 'a.txt', 'two\n');
  return top;
}

describe.runIf(platform() === 'linux').each(ERAS)('a cancelled call on a %s connection', (era) => {
  it.each([
    ['git_log', { pickaxe: 'two' }],
    ['git_show', { revision: 'HEAD' }],
    ['git_diff', { target: 'HEAD~1..HEAD' }],
  ])('leaves no process behind: %s', async (tool, input) => {
    const top = await endlessRepository();
    await using session = await connectGit({ directories: [top] }, era);
    const controller = new AbortController();
    const ended = session.call(tool, input, { signal: controller.signal }).catch(String);
    await until(runs(top, tool.slice('git_'.length)), 10_000, 'git starts');
    controller.abort('enough');
    expect(await ended).toContain('enough');
    await until(async () => (await processesIn(top)).length === 0, GONE_MS, 'git ends');
    expect(await session.text('git_branch')).toContain('main');
  });

  it('leaves no process behind if the server is a separate process', async () => {
    const top = await endlessRepository();
    await using session = await connectProcess({ command: process.execPath, args: [BIN, top] }, { era });
    const controller = new AbortController();
    const ended = session.call('git_log', { pickaxe: 'two' }, { signal: controller.signal }).catch(String);
    await until(runs(top, 'log'), 10_000, 'git starts');
    controller.abort('enough');
    expect(await ended).toContain('enough');
    await until(async () => (await processesIn(top)).length === 0, GONE_MS, 'git ends');
    expect(await session.text('git_branch')).toContain('main');
  });

  it('leaves nothing behind that ignores SIGTERM, and no lock', async () => {
    const top = await stubbornRepository();
    await using session = await connectGit({ directories: [top], trust: 'all' }, era);
    const controller = new AbortController();
    const ended = session.call('git_add', { files: ['a.txt'] }, { signal: controller.signal }).catch(String);
    await until(
      async () => (await processesIn(top)).filter((command) => command.startsWith('sleep')).length === 2,
      10_000,
      'the filter starts',
    );
    controller.abort('enough');
    expect(await ended).toContain('enough');
    await until(async () => (await processesIn(top)).length === 0, GONE_MS, 'all of them end');
    git(top, ['config', '--unset', 'filter.stubborn.clean']);
    expect(await session.text('git_add', { files: ['a.txt'] })).toBe('staged a.txt');
  });

  it('fails if another process kills git, whatever git wrote before', async () => {
    const top = await endlessRepository();
    await using session = await connectGit({ directories: [top] }, era);
    const failed = session.fails('git_log', { pickaxe: 'two' });
    await until(runs(top, 'log'), 10_000, 'git starts');
    for (const pid of await pidsIn(top)) process.kill(pid, 'SIGKILL');
    expect(await failed).toBe('GIT_FAILED: git was killed by SIGKILL');
  });

  it('ends when its connection closes', async () => {
    const top = await endlessRepository();
    const session = await connectGit({ directories: [top] }, era);
    const ended = session.call('git_log', { pickaxe: 'two' }).catch((error: unknown) => error);
    await until(runs(top, 'log'), 10_000, 'git starts');
    await session[Symbol.asyncDispose]();
    expect(await ended).toBeInstanceOf(Error);
    await until(async () => (await processesIn(top)).length === 0, GONE_MS, 'git ends');
  });
});

describe.runIf(platform() === 'linux')('the process that reads objects', () => {
  it('waits for the next call, and ends with the server', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
    const running = (): Promise<readonly string[]> => processesIn(path.join(top, '.git'));
    const session = await connectGit({ directories: [top] });
    await session.call('git_show', { revision: 'HEAD' });
    await session.call('git_show', { revision: 'main' });
    expect(await running()).toEqual([expect.stringContaining('cat-file --batch-command')]);
    await session[Symbol.asyncDispose]();
    await until(async () => (await running()).length === 0, GONE_MS, 'it ends');
  });

  it('ends with a server that is killed', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
    const running = (): Promise<readonly string[]> => processesIn(path.join(top, '.git'));
    const child = spawn(process.execPath, [BIN, top], { stdio: ['pipe', 'ignore', 'ignore'] });
    const message = (rest: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...rest })}\n`;
    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    child.stdin.write(
      message({ id: 1, method: 'initialize', params: client }) + message({ method: 'notifications/initialized' }),
    );
    const params = { name: 'git_show', arguments: { revision: 'HEAD' } };
    child.stdin.write(message({ id: 2, method: 'tools/call', params }));
    await until(async () => (await running()).length === 1, 10_000, 'it starts');
    child.kill('SIGKILL');
    await until(async () => (await running()).length === 0, GONE_MS, 'it ends');
  });

  it('does not keep a server from ending', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
    const script = `
      const { GitServer, GitOptions } = await import(${JSON.stringify(new URL('../lib/index.js', import.meta.url).href)});
      const server = new GitServer(Object.assign(new GitOptions(), { directories: [${JSON.stringify(top)}], roots: 'off' }));
      await server.open();
      const roots = await server.scopeFor({ signal: new AbortController().signal, client: { capabilities: {} } });
      const [repository] = await server.repositories.all(roots);
      console.log((await repository.objectInfo('HEAD')).type);`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      timeout: 10_000,
    });
    expect(output).toBe('commit\n');
  });
});

describe.runIf(platform() === 'linux')('--timeout', () => {
  it('ends a call that takes longer, and the processes that the call started', async () => {
    const top = await endlessRepository();
    await using session = await connectGit({ directories: [top] }, undefined, { timeoutMs: 2000 });
    expect(await session.fails('git_log', { pickaxe: 'two' })).toBe('TIMEOUT: git_log took longer than 2000 ms');
    await until(async () => (await processesIn(top)).length === 0, GONE_MS, 'git ends');
    expect(await session.text('git_branch')).toContain('main');
  });
});
