import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { connectProcess, ERAS, runProgram, type ProgramEnd } from '../src/index.ts';
import { compiledProgram } from './compiled-program.ts';

const PROGRAM = compiledProgram(new URL('info/informed-program.ts', import.meta.url));

let home = '';

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'setup-')));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
});

/** Runs the program with arguments, at home in an empty directory. */
function run(...argv: readonly string[]): Promise<ProgramEnd> {
  const env = { HOME: home, USERPROFILE: home, APPDATA: home, XDG_CONFIG_HOME: home };
  return runProgram({ ...PROGRAM, args: [...(PROGRAM.args ?? []), ...argv], env, cwd: home });
}

describe('config', () => {
  it('prints the entry for programs, and for people where it belongs', async () => {
    const { code, stdout, stderr } = await run('config', 'cursor', '--max-notes', '3');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: { informed: { command: process.execPath, args: [...(PROGRAM.args ?? []), '--max-notes=3'] } },
    });
    expect(stderr.split('\n')[0]).toBe(
      `This belongs into ${path.join(home, '.cursor', 'mcp.json')}; install instead of config writes it there.`,
    );
  });

  it('advises to let the client ask if the model confirms by token', async () => {
    const { stdout, stderr } = await run('config', 'cursor', '--confirm', 'token');
    expect(stdout).toContain('"--confirm=token"');
    expect(stderr).toContain('With --confirm token the server asks no user: let the client ask before it calls a tool');
    expect((await run('config', 'cursor')).stderr).not.toContain('--confirm');
  });

  it('does not open the server, and checks the options all the same', async () => {
    expect((await run('config', 'vscode')).stderr).not.toContain('open');
    expect(await run('config', 'vscode', '--max-notes', 'many')).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([
    [['config'], 'name a client: claude-desktop, claude-code, vscode, cursor\nSee --help.\n'],
    [['install', 'emacs'], 'there is no client "emacs", only claude-desktop, claude-code, vscode, cursor\nSee --help.\n'],
    [['config', 'cursor', '--dry-run'], '--dry-run is for install\nSee --help.\n'],
    [['config', 'cursor', 'surplus'], 'unexpected argument "surplus"\nSee --help.\n'],
  ])('ends with 2 for what it cannot do: %j', async (argv, stderr) => {
    expect(await run(...argv)).toEqual({ code: 2, stdout: '', stderr });
  });
});

describe.each(ERAS)('what install writes, to a client in the %s era,', (era) => {
  it('starts the server with the options that were given', async () => {
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
