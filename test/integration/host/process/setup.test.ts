import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { connectProcess, ERAS, runProgram, type ProgramEnd } from '@org/mcp-testing';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { compiledProgram } from '../../support/compiled-program.ts';

const PROGRAM = compiledProgram(new URL('../info/informed-program.ts', import.meta.url));

let home = '';

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'setup-')));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
});

/** Runs the program with arguments. Its home directory is empty at the beginning of each test. */
function run(...argv: readonly string[]): Promise<ProgramEnd> {
  const env = { HOME: home, USERPROFILE: home, APPDATA: home, XDG_CONFIG_HOME: home };
  return runProgram({ ...PROGRAM, args: [...(PROGRAM.args ?? []), ...argv], env, cwd: home });
}

describe('the command config', () => {
  it('prints the entry to stdout, and the name of the file to stderr', async () => {
    const { code, stdout, stderr } = await run('config', 'cursor', '--max-notes', '3');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: { informed: { command: process.execPath, args: [...(PROGRAM.args ?? []), '--max-notes=3'] } },
    });
    expect(stderr.split('\n')[0]).toBe(
      `Add this to ${path.join(home, '.cursor', 'mcp.json')}, or run install instead of config.`,
    );
  });

  it('recommends that the client confirms calls if the model confirms by token', async () => {
    const { stdout, stderr } = await run('config', 'cursor', '--confirm', 'token');
    expect(stdout).toContain('"--confirm=token"');
    expect(stderr).toContain('With --confirm token, the server does not ask the user: configure the client to ask');
    expect((await run('config', 'cursor')).stderr).not.toContain('--confirm');
  });

  it('checks the options without opening the server', async () => {
    expect((await run('config', 'vscode')).stderr).not.toContain('open');
    expect(await run('config', 'vscode', '--max-notes', 'many')).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([
    [
      ['config'],
      'the client is missing; the clients are claude-desktop, claude-code, vscode, cursor, codex, gemini, goose, opencode, copilot, zed\nSee --help.\n',
    ],
    [
      ['install', 'emacs'],
      'unknown client "emacs"; the clients are claude-desktop, claude-code, vscode, cursor, codex, gemini, goose, opencode, copilot, zed\nSee --help.\n',
    ],
    [['config', 'cursor', '--dry-run'], '--dry-run is only valid with install and uninstall\nSee --help.\n'],
    [['config', 'cursor', 'surplus'], 'unexpected argument "surplus"\nSee --help.\n'],
  ])('ends with 2 for an unsupported request: %j', async (argv, stderr) => {
    expect(await run(...argv)).toEqual({ code: 2, stdout: '', stderr });
  });
});

describe.each(ERAS)('the entry that install writes, in the %s era,', (era) => {
  it('starts the server with the given options', async () => {
    const installed = await run('install', 'cursor', '--max-notes', '3', '--url', 'postgres://ada:s3cret@db/notes');
    expect(installed).toMatchObject({ code: 0, stderr: '' });
    const file = path.join(home, '.cursor', 'mcp.json');
    const { mcpServers } = JSON.parse(await readFile(file, 'utf8'));
    expect(JSON.stringify(mcpServers.informed.args)).not.toContain('s3cret');
    await using session = await connectProcess({ ...mcpServers.informed, cwd: home, stderr: 'ignore' }, { era });
    const [content] = (await session.client.readResource({ uri: 'server://info' })).contents;
    expect(JSON.parse(content !== undefined && 'text' in content ? content.text : '')).toMatchObject({
      diagnosis: [{ detail: 'cannot reach postgres://ada:***@db/notes' }],
      options: { maxNotes: 3 },
    });
  });
});
