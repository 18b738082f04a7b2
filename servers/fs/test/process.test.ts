import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { connectProcess, ERAS, REVISIONS, runProgram, startProgram } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { BIN, mcpFs } from './fixtures/mcp-fs.ts';
import { temporaryDirectory, temporaryState } from './fixtures/temporary.ts';

describe.each(ERAS)('the mcp-fs program on a %s connection', (era) => {
  it('lists and calls every tool', async () => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'sub'));
    await writeFile(path.join(root, 'a.txt'), 'alpha\n');
    await using session = await connectProcess(mcpFs('--state-dir', temporaryState(), root), { era });
    expect(session.client.getNegotiatedProtocolVersion()).toBe(REVISIONS[era]);
    const calls: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      read_text_file: { path: 'a.txt' },
      read_file: { path: 'a.txt' },
      read_multiple_files: { paths: ['a.txt'] },
      read_media_file: { path: 'a.txt' },
      list_directory: { path: '.' },
      list_directory_with_sizes: { path: '.' },
      directory_tree: { path: '.' },
      search_files: { path: '.', pattern: '*.txt' },
      search_content: { path: '.', pattern: 'alpha' },
      write_file: { path: 'b.txt', content: 'beta' },
      append_file: { path: 'c.txt', content: 'gamma' },
      edit_file: { path: 'c.txt', edits: [{ oldText: 'gamma', newText: 'delta' }] },
      replace_in_files: { path: '.', pattern: 'delta', replacement: 'epsilon' },
      create_directory: { path: 'd' },
      copy_file: { source: 'a.txt', destination: 'e.txt' },
      move_file: { source: 'e.txt', destination: 'f.txt' },
      delete_file: { path: 'f.txt' },
      get_file_info: { path: 'a.txt' },
      list_allowed_directories: {},
      list_changes: {},
    };
    expect((await session.toolNames()).toSorted()).toEqual([...Object.keys(calls), 'undo_change'].toSorted());
    for (const [name, args] of Object.entries(calls)) expect(await session.text(name, args), name).not.toBe('');
    expect(await session.text('read_text_file', { path: 'b.txt' })).toBe('beta');
    expect(await session.fails('read_text_file', { path: BIN })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  // The bundle loads the tables of legacy encodings and of file signatures only when they are first needed, so this test runs the
  // program.
  it('detects legacy encodings, and file types from the first bytes', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'euro.txt'), Buffer.from([0x35, 0x20, 0x80, 0x0a]));
    await writeFile(path.join(root, 'a'), Buffer.from('GIF89a'));
    await using session = await connectProcess(mcpFs(root), { era });
    expect(await session.text('read_text_file', { path: 'euro.txt' })).toBe('5 €\n');
    expect((await session.call('read_media_file', { path: 'a' })).content).toMatchObject([
      { type: 'image', mimeType: 'image/gif' },
      { type: 'text' },
    ]);
  });

  it('is narrowed by the roots of its client', async () => {
    const root = await temporaryDirectory();
    await mkdir(path.join(root, 'open'));
    await writeFile(path.join(root, 'closed.txt'), 'x');
    const roots = (): { readonly uri: string }[] => [{ uri: pathToFileURL(path.join(root, 'open')).href }, { uri: 'file:///' }];
    await using narrow = await connectProcess(mcpFs(path.join(root, 'open')), { era, roots });
    expect(await narrow.fails('read_text_file', { path: path.join(root, 'closed.txt') })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    const program = mcpFs('--state-dir', temporaryState(), root);
    await using session = await connectProcess(program, { era, roots: () => roots().slice(0, 1) });
    expect(await session.text('write_file', { path: 'a.txt', content: 'x' })).toContain(path.join(root, 'open/a.txt'));
    expect(await session.fails('read_text_file', { path: path.join(root, 'closed.txt') })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  it('sends exactly one notification for a change of a file, and one for a change of a directory', async () => {
    const root = await temporaryDirectory();
    const file = path.join(root, 'a.txt');
    await writeFile(file, 'old');
    await using session = await connectProcess(mcpFs(root), { era });
    await using content = await session.subscribe(pathToFileURL(file).href);
    await using entries = await session.subscribe(pathToFileURL(root).href);
    await writeFile(file, 'new');
    await content.next();
    await writeFile(path.join(root, 'b.txt'), 'new');
    await entries.next();
    expect([content.count, entries.count]).toEqual([1, 1]);
  });

  it('starts without loading the web APIs of Node.js, which take half as long as everything else', async () => {
    const root = await temporaryDirectory();
    const trap = `Object.defineProperty(globalThis, 'Request', { get() { throw new Error('Request was loaded') } })`;
    const { command, args } = mcpFs(root);
    const trapped = { command, args: ['--import', `data:text/javascript,${encodeURIComponent(trap)}`, ...args] };
    await using session = await connectProcess(trapped, { era });
    expect(await session.text('list_allowed_directories')).toContain(root);
  });

  it('offers only the selected tools', async () => {
    const root = await temporaryDirectory();
    await using session = await connectProcess(mcpFs('--read-only', '--tools', 'read_text_file,get_file_info,write_file', root), {
      era,
    });
    expect(await session.toolNames()).toEqual(['read_text_file', 'get_file_info']);
    const write = session.client.callTool({ name: 'write_file', arguments: { path: 'x', content: '' } });
    await expect(write).rejects.toMatchObject({ code: -32_602 });
  });
});

describe('the mcp-fs command line', () => {
  it('shows its help and its version', async () => {
    const help = await runProgram(mcpFs('--help'));
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('--max-bytes SIZE');
    const { version }: { readonly version: string } = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    );
    expect(await runProgram(mcpFs('--version'))).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('lists its tools', async () => {
    const { code, stdout } = await runProgram(mcpFs('list', '--read-only'));
    expect(code).toBe(0);
    const [tools] = stdout.split('Tool sets');
    expect(tools).toContain('read_text_file');
    expect(tools).not.toContain('write_file');
    // A read-only server changes nothing, so `list_changes` would always be empty.
    expect(tools).not.toContain('list_changes');
    expect(stdout).toMatch(/^ {2}checkpoints +checkpoint, rewind$/m);
  });

  it('prints the manifest that a client receives', async () => {
    const root = await temporaryDirectory();
    const { code, stdout } = await runProgram(mcpFs('manifest'));
    await using session = await connectProcess(mcpFs(root));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ tools: (await session.client.listTools()).tools });
  });

  it('checks its directories', async () => {
    const root = await temporaryDirectory();
    expect(await runProgram(mcpFs('check', root))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`ok     root ${root}: available`),
    });
  });

  it.each([
    ['an unknown flag', ['--read-onli'], 'unknown option --read-onli; did you mean --read-only?'],
    ['a flag without its value', ['--log-level'], '--log-level'],
    ['an unknown value', ['--log-level', 'loud'], '--log-level: must be one of'],
    ['a number out of range', ['--max-entries', '0'], '--max-entries: must not be less than 1'],
    ['text for a number', ['--max-entries', 'many'], '--max-entries: expected an integer, got "many"'],
    ['an unknown use of roots', ['--roots', 'all', '.'], '--roots: must be one of'],
    ['no time for an answer', ['--roots-timeout', '0s', '.'], '--roots-timeout: '],
    ['no directories over HTTP', ['--http', '0'], 'over HTTP, the allowed directories must be given'],
    [
      'no directories over HTTP with --roots off',
      ['--http', '0', '--roots', 'off'],
      'over HTTP, the allowed directories must be given',
    ],
    ['an unknown tool', ['--tools', 'read_text_fil', '.'], 'unknown tool "read_text_fil"; did you mean "read_text_file"?'],
    ['an empty directory, as an unset variable leaves it', [''], 'a directory is given as an empty string'],
    ['a file as directory', [BIN], `${BIN} is not a directory`],
    ['a glob that expands to too many globs', ['--deny', '{a,b}'.repeat(7), '.'], 'it expands to more than 64 patterns'],
    [
      'a state key file that does not exist',
      ['--state-key-file', '/does/not/exist'],
      'the state key file /does/not/exist cannot be read',
    ],
    [
      'an address that is not of this machine',
      ['--http', '192.0.2.1:3000', '.'],
      '--http 192.0.2.1:3000: this machine has no such address',
    ],
    ['a bus of another kind', ['--bus', 'kafka://host', '.'], 'the URL of a bus begins with postgres:// or redis://'],
    // The message comes from a library that the bundle loads only for this option.
    ['an unreachable Redis server', ['--bus', 'redis://127.0.0.1:1', '.'], 'connect ECONNREFUSED 127.0.0.1:1'],
    ['an unreachable PostgreSQL server', ['--bus', 'postgres://127.0.0.1:1/a', '.'], 'connect ECONNREFUSED 127.0.0.1:1'],
    ['a config file that does not exist', ['--config', '/does/not/exist'], 'the config file /does/not/exist cannot be read'],
  ])('exits with 2 and a sentence for %s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await runProgram(mcpFs(...args));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it('reads options from the environment and a config file; the command line has precedence', async () => {
    const root = await temporaryDirectory();
    const config = path.join(root, 'config.json');
    await writeFile(config, JSON.stringify({ tools: ['write_file'], directories: [root] }));
    const { stdout } = await runProgram({
      ...mcpFs('list', '--config', config, '--tools', 'get_file_info'),
      env: { MCP_FS_TOOLS: 'search_files', MCP_FS_READ_ONLY: 'true' },
    });
    const [tools] = stdout.split('Tool sets');
    expect(tools).toContain('get_file_info');
    expect(tools).not.toContain('search_files');
    expect((await runProgram(mcpFs('check', '--config', config))).stdout).toContain(`root ${root}`);
    expect(await runProgram({ ...mcpFs('list'), env: { MCP_FS_MAX_ENTRIES: 'x' } })).toMatchObject({
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

  it('exits with 0 when its client closes stdin', async () => {
    await using running = startProgram(mcpFs(await temporaryDirectory()));
    running.stdin.end();
    expect(await running.ended).toMatchObject({ code: 0 });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('exits with 0 on %s and writes only protocol messages to stdout', async (signal) => {
    await using running = startProgram(mcpFs('--log-level', 'debug', await temporaryDirectory()));
    running.stdin.write(`${JSON.stringify(initialize)}\n`);
    const answer = await running.stdout.next();
    expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { serverInfo: { name: 'mcp-fs' } } });
    running.kill(signal);
    expect(await running.ended).toMatchObject({ code: 0, stdout: `${answer}\n` });
  });

  it('says that a client does not replace ~ in the path of a directory', async () => {
    const { stdout } = await runProgram(mcpFs('check', '~/code'));
    expect(stdout).toMatch(/^wrong {2}root .*~.code: missing; .*; "~" is not replaced: write the path of your home directory$/m);
  });

  it.each(['--token-file', '--auth-issuer'])('warns that %s has no effect over stdio', async (option) => {
    const { stderr } = await runProgram(mcpFs(option, 'https://x', await temporaryDirectory()));
    expect(stderr).toContain('warning --token-file and --auth-issuer apply only with --http');
  });

  it('warns of a missing directory and uses it as soon as it exists', async () => {
    const directory = path.join(await temporaryDirectory(), 'later');
    await using running = startProgram(mcpFs(directory));
    expect(await running.stderr.next()).toContain(
      `the directory ${directory} does not exist; the server uses the directory as soon as it exists`,
    );
    const call = (id: number): object => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'list_directory', arguments: { path: '.' } },
    });
    for (const message of [initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }, call(2)])
      running.stdin.write(`${JSON.stringify(message)}\n`);
    await running.stdout.next();
    expect(await running.stdout.next()).toContain('ROOT_UNAVAILABLE');
    await mkdir(directory);
    running.stdin.write(`${JSON.stringify(call(3))}\n`);
    expect(await running.stdout.next()).toContain('The directory is empty');
  });

  it('reports on stderr the functions that do not work without directories', async () => {
    await using running = startProgram(mcpFs());
    expect(await running.stderr.next()).toContain('info no directories: only calls of clients with roots succeed');
  });

  it('writes its log to stderr, as JSON if requested', async () => {
    await using running = startProgram(mcpFs('--log-level', 'debug', '--log-format', 'json', await temporaryDirectory()));
    expect(JSON.parse(await running.stderr.next())).toMatchObject({
      level: 'debug',
      message: expect.stringContaining('serves over stdio'),
    });
  });
});
