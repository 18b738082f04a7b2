import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { connectProcess, ERAS, REVISIONS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { temporaryDirectory } from './temporary.ts';

const BIN = fileURLToPath(new URL('../bin/mcp-fs.js', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [BIN, ...args], { env: { ...process.env, ...env } });
}

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = start(args, env);
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'close');
  const [stdout, stderr] = await output;
  return { code, stdout, stderr };
}

describe.each(ERAS)('the mcp-fs program on a %s connection', (era) => {
  it('lists and calls every tool', async () => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'sub'));
    await writeFile(path.join(root, 'a.txt'), 'alpha\n');
    await using session = await connectProcess({ command: process.execPath, args: [BIN, root] }, { era });
    expect(session.client.getNegotiatedProtocolVersion()).toBe(REVISIONS[era]);
    const calls: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      read_text_file: { path: 'a.txt' },
      list_directory: { path: '.' },
      search_files: { path: '.', pattern: '*.txt' },
      write_file: { path: 'b.txt', content: 'beta' },
      get_file_info: { path: 'a.txt' },
      list_allowed_directories: {},
    };
    expect(await session.toolNames()).toEqual(Object.keys(calls));
    for (const [name, args] of Object.entries(calls)) expect(await session.text(name, args), name).not.toBe('');
    expect(await session.text('read_text_file', { path: 'b.txt' })).toBe('beta');
    expect(await session.fails('read_text_file', { path: BIN })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  it('is narrowed by the roots of its client', async () => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'open'));
    await writeFile(path.join(root, 'closed.txt'), 'x');
    const roots = (): { readonly uri: string }[] => [{ uri: pathToFileURL(path.join(root, 'open')).href }, { uri: 'file:///' }];
    await using narrow = await connectProcess(
      { command: process.execPath, args: [BIN, path.join(root, 'open')] },
      { era, roots },
    );
    expect(await narrow.fails('read_text_file', { path: path.join(root, 'closed.txt') })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    await using session = await connectProcess(
      { command: process.execPath, args: [BIN, root] },
      { era, roots: () => roots().slice(0, 1) },
    );
    expect(await session.text('write_file', { path: 'a.txt', content: 'x' })).toContain(path.join(root, 'open/a.txt'));
    expect(await session.fails('read_text_file', { path: path.join(root, 'closed.txt') })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  it('tells once of each change of a file and of a directory', async () => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'a.txt');
    await writeFile(file, 'old');
    await using session = await connectProcess({ command: process.execPath, args: [BIN, root] }, { era });
    await using content = await session.subscribe(pathToFileURL(file).href);
    await using entries = await session.subscribe(pathToFileURL(root).href);
    await writeFile(file, 'new');
    await content.next();
    await writeFile(path.join(root, 'b.txt'), 'new');
    await entries.next();
    expect([content.count, entries.count]).toEqual([1, 1]);
  });

  it('offers only what it is asked to', async () => {
    const root = await temporaryDirectory();
    await using session = await connectProcess(
      { command: process.execPath, args: [BIN, '--read-only', '--disable-tools', 'search_files', root] },
      { era },
    );
    expect(await session.toolNames()).toEqual(['read_text_file', 'list_directory', 'get_file_info', 'list_allowed_directories']);
    const write = session.client.callTool({ name: 'write_file', arguments: { path: 'x', content: '' } });
    await expect(write).rejects.toMatchObject({ code: -32_602 });
  });
});

describe('the mcp-fs command line', () => {
  it('shows its help and its version', async () => {
    const help = await run(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('--max-read-bytes BYTES');
    const { version }: { readonly version: string } = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    );
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('lists what it offers', async () => {
    const { code, stdout } = await run(['list', '--read-only']);
    expect(code).toBe(0);
    expect(stdout).toContain('read_text_file');
    expect(stdout).not.toContain('write_file');
  });

  it('prints the manifest that a client receives', async () => {
    const root = await temporaryDirectory();
    const { code, stdout } = await run(['manifest']);
    await using session = await connectProcess({ command: process.execPath, args: [BIN, root] });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ tools: (await session.client.listTools()).tools });
  });

  it('checks its directories', async () => {
    const root = await temporaryDirectory();
    expect(await run(['check', root])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`ok     root ${root}: available`),
    });
    expect(await run(['check'])).toMatchObject({ code: 1, stdout: expect.stringContaining('wrong  roots: none') });
  });

  it.each([
    ['an unknown flag', ['--read-onli'], 'there is no option --read-onli; did you mean --read-only?'],
    ['a flag without its value', ['--log-level'], '--log-level'],
    ['a value that is not one of them', ['--log-level', 'loud'], '--log-level: must be one of'],
    ['a number out of range', ['--max-entries', '0'], '--max-entries: must not be less than 1'],
    ['text for a number', ['--max-entries', 'many'], '--max-entries: expected an integer, got "many"'],
    ['an unknown tool', ['--tools', 'read_text_fil', '.'], 'there is no tool "read_text_fil"; did you mean "read_text_file"?'],
    ['a directory that does not exist', ['/does/not/exist'], 'the directory /does/not/exist cannot be used: it does not exist'],
    ['an empty directory, as an unset variable leaves it', [''], 'a directory is given as an empty text'],
    ['a file as directory', [BIN], `${BIN} is not a directory`],
    ['a config file that does not exist', ['--config', '/does/not/exist'], 'the config file /does/not/exist cannot be read'],
  ])('exits with 2 and a sentence for %s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it('takes options from the environment and a config file, the command line first', async () => {
    const root = await temporaryDirectory();
    const config = path.join(root, 'config.json');
    await writeFile(config, JSON.stringify({ tools: ['write_file'], directories: [root] }));
    const { stdout } = await run(['list', '--config', config, '--tools', 'get_file_info'], {
      MCP_FS_TOOLS: 'search_files',
      MCP_FS_READ_ONLY: 'true',
    });
    expect(stdout).toContain('get_file_info');
    expect(stdout).not.toContain('search_files');
    expect((await run(['check', '--config', config])).stdout).toContain(`root ${root}`);
    expect(await run(['list'], { MCP_FS_MAX_ENTRIES: 'x' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('MCP_FS_MAX_ENTRIES: expected an integer'),
    });
  });
});

describe('the mcp-fs process', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };

  it('ends with 0 when its client closes stdin', async () => {
    const child = start([await temporaryDirectory()]);
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 on %s, having written nothing but messages to stdout', async (signal) => {
    const child = start(['--log-level', 'debug', await temporaryDirectory()]);
    child.stdin.write(`${JSON.stringify(initialize)}\n`);
    const [answer] = await once(child.stdout, 'data');
    expect(JSON.parse(String(answer))).toMatchObject({ id: 1, result: { serverInfo: { name: 'mcp-fs' } } });
    const ended = once(child, 'exit');
    const rest = text(child.stdout);
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(await rest).toBe('');
  });

  it('writes its log to stderr, as JSON where that is asked for', async () => {
    const child = start(['--log-level', 'debug', '--log-format', 'json', await temporaryDirectory()]);
    const [line] = await once(child.stderr, 'data');
    expect(JSON.parse(String(line))).toMatchObject({ level: 'debug', message: expect.stringContaining('serves over stdio') });
    child.stdin.end();
    await once(child, 'exit');
  });
});
