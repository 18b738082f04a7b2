import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { installServer } from '../../src/setup/install-server.ts';
import type { Machine } from '../../src/setup/machine.ts';
import { UsageError } from '../../src/usage-error.ts';
import { invocationOf, MACHINE } from './invoked.ts';
import { ArchiveOptions, ArchivesOptions, NotesOptions } from './notes-options.ts';

const SCRIPT = fileURLToPath(import.meta.url);
const ENTRY = { command: '/usr/bin/node', args: [SCRIPT, '--read-only', '/srv/notes'] };

let machine: Machine = MACHINE;
let file = '';

beforeEach(async () => {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), 'install-')));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  machine = { ...MACHINE, home, directory: home, script: SCRIPT };
  file = path.join(home, '.cursor', 'mcp.json');
});

async function install(...argv: readonly string[]): Promise<string> {
  const lines = await installServer(invocationOf(NotesOptions, argv, 'cursor'), machine);
  return lines.join('\n');
}

async function write(text: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function modeOf(target: string): Promise<number> {
  return (await stat(target)).mode & 0o777;
}

describe('a server that is installed', () => {
  it('is in a new file, whose directory is made, and which nobody else reads', async () => {
    expect(await install('--read-only', '/srv/notes')).toBe(
      `Cursor has mcp-notes now: ${file} was created.\nStart Cursor again, or refresh the server in its settings.`,
    );
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ mcpServers: { 'mcp-notes': ENTRY } });
    expect(await modeOf(file)).toBe(0o600);
    expect(await readdir(path.dirname(file))).toEqual(['mcp.json']);
  });

  it('is in the file that was there, of which a copy is kept, with its mode', async () => {
    const before = '{\n  // mine\n  "mcpServers": {},\n  "theme": "dark"\n}\n';
    await write(before);
    await chmod(file, 0o640);
    const [, backup = ''] = /As it was before: (.*)\n/.exec(await install('--read-only', '/srv/notes')) ?? [];
    expect(await readFile(backup, 'utf8')).toBe(before);
    expect(path.dirname(backup)).toBe(path.dirname(file));
    expect([await modeOf(file), await modeOf(backup)]).toEqual([0o640, 0o640]);
    expect(await readFile(file, 'utf8')).toMatch(/^\{\n {2}\/\/ mine\n {2}"mcpServers": \{\n {4}"mcp-notes": \{\n/);
    expect(await readdir(path.dirname(file))).toHaveLength(2);
  });

  it('is not installed again', async () => {
    await install('/srv/notes');
    const text = await readFile(file, 'utf8');
    expect(await install('/srv/notes')).toBe(`Cursor has mcp-notes already; ${file} was not changed.`);
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(await readdir(path.dirname(file))).toEqual(['mcp.json']);
  });

  it('has the arguments that it was installed with last', async () => {
    await install('/srv/old');
    expect(await install('--read-only', '/srv/notes')).toContain('was changed');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ mcpServers: { 'mcp-notes': ENTRY } });
  });

  it('is in the file that a link leads to, which stays a link', async () => {
    const kept = path.join(machine.home, 'dotfiles.json');
    await writeFile(kept, '{}');
    await mkdir(path.dirname(file));
    await symlink(kept, file);
    expect(await install('/srv/notes')).toContain(`${kept} was changed`);
    expect(await realpath(file)).toBe(kept);
    expect(await readFile(kept, 'utf8')).toContain('mcp-notes');
  });
});

describe('a secret that the file of a client contains', () => {
  const withSecret = (text = 'postgres://ada:pw@db/x'): Promise<readonly string[]> =>
    installServer(invocationOf(ArchiveOptions, [text], 'cursor'), machine);

  it.each([
    [0o644, 0o600],
    [0o664, 0o600],
    [0o400, 0o400],
    [0o600, 0o600],
  ])('takes the rights of others from the file and from its copy: %o', async (before, after) => {
    await write('{}');
    await chmod(file, before);
    const lines = await withSecret();
    const [, backup = ''] = /As it was before: (.*)/.exec(lines.join('\n')) ?? [];
    expect([await modeOf(file), await modeOf(backup)]).toEqual([after, after]);
    const warned = lines.includes(`Other users could open it (mode ${before.toString(8)}); now only you can.`);
    expect(warned).toBe(before !== after);
    expect(lines).toContain(`${file} contains the secret MCP_NOTES_URL as it is.`);
    expect(lines.join('\n')).not.toContain('pw');
  });

  it('takes the rights of others also if the file contains the entry already', async () => {
    await withSecret();
    await chmod(file, 0o644);
    expect((await withSecret()).join('\n')).toContain('Other users could open it (mode 644)');
    expect(await modeOf(file)).toBe(0o600);
  });

  it.each<readonly [string, readonly string[], env: Readonly<Record<string, string>>]>([
    ['on the command line', ['a=postgres://ada@db/a', 'b=postgres://ada:pw@db/b'], {}],
    ['in the list of a flag', ['--urls', 'a=postgres://ada@db/a,b=postgres://ada:pw@db/b'], {}],
    ['in the environment', [], { MCP_NOTES_URLS: 'a=postgres://ada@db/a,b=postgres://ada:pw@db/b' }],
  ])('is found in each URL of a list %s', async (_, argv, env) => {
    await write('{}');
    await chmod(file, 0o644);
    const lines = await installServer(invocationOf(ArchivesOptions, argv, 'cursor'), { ...machine, env });
    expect(lines).toContain(`${file} contains the secret MCP_NOTES_URLS as it is.`);
    expect(await modeOf(file)).toBe(0o600);
  });

  it('is not said to be there if a URL has no password', async () => {
    await write('{}');
    await chmod(file, 0o644);
    expect((await withSecret('postgres://ada@db/x')).join('\n')).not.toContain('secret');
    expect(await modeOf(file)).toBe(0o644);
  });
});

describe('a dry run', () => {
  it('shows what would be changed, and changes nothing', async () => {
    await write('{\n  "mcpServers": {\n    "other": 1\n  }\n}\n');
    const shown = await install('--dry-run', '/srv/notes');
    expect(shown.split('\n').slice(0, 4)).toEqual([
      `Would be changed in ${file}:`,
      '-     "other": 1',
      '+     "other": 1,',
      '+     "mcp-notes": {',
    ]);
    expect(await readFile(file, 'utf8')).not.toContain('mcp-notes');
    expect(await readdir(path.dirname(file))).toEqual(['mcp.json']);
  });

  it('creates no directory', async () => {
    expect(await install('--dry-run')).toContain('+ {');
    expect(await readdir(machine.home)).toEqual([]);
  });

  it('shows no secrets: not the new one, and not in the lines beside it', async () => {
    await write('{\n  "mcpServers": {\n    "other": { "env": { "API_TOKEN": "t0ken" } }\n  }\n}\n');
    const invocation = invocationOf(ArchiveOptions, ['--dry-run', 'plain "secret"'], 'cursor');
    const shown = (await installServer(invocation, machine)).join('\n');
    expect(shown).toContain('"MCP_NOTES_URL": "***"');
    expect(shown).not.toMatch(/secret|t0ken/);
  });
});

describe('a configuration that cannot be changed', () => {
  it.each<readonly [string, string | Uint8Array, string]>([
    ['not JSON', '{ "mcpServers": ', 'FILE is not JSON: ValueExpected in line 1; nothing was changed'],
    ['another shape', '[]', 'FILE does not hold an object; nothing was changed'],
    ['not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 'FILE is not UTF-8'],
    ['UTF-16', Buffer.from('\uFEFF{}', 'utf16le'), 'FILE is not UTF-8'],
    ['too large', new Uint8Array(17 * 1024 * 1024), 'FILE is larger than 16 MiB'],
  ])('is left as it is: %s', async (_, text, message) => {
    await write(text);
    await expect(install('/srv/notes')).rejects.toThrow(new UsageError(message.replace('FILE', file)));
    expect((await readFile(file)).equals(Buffer.from(text))).toBe(true);
    expect(await readdir(path.dirname(file))).toEqual(['mcp.json']);
  });

  it('is no directory', async () => {
    await mkdir(file, { recursive: true });
    await expect(install('/srv/notes')).rejects.toThrow(new UsageError(`${file} is not a file`));
  });

  it('is said to be one where a file stands in the way of its directory', async () => {
    await writeFile(path.dirname(file), '');
    await expect(install('/srv/notes')).rejects.toThrow(UsageError);
    await expect(install('/srv/notes')).rejects.toThrow(/cannot be changed: ENOTDIR/);
  });
});

describe('a client', () => {
  it.each<readonly [string | undefined, string]>([
    [undefined, 'name a client: claude-desktop, claude-code, vscode, cursor'],
    ['cursr', 'there is no client "cursr", only claude-desktop, claude-code, vscode, cursor; did you mean cursor?'],
    ['toString', 'there is no client "toString", only claude-desktop, claude-code, vscode, cursor'],
  ])('has to be one that is known, not %s', async (name, message) => {
    await expect(installServer(invocationOf(NotesOptions, [], name), machine)).rejects.toThrow(new UsageError(message));
  });

  it('of a project is told in the file that the project shares, with what a person has to do', async () => {
    const lines = await installServer(invocationOf(ArchiveOptions, ['postgres://ada:pw@db/x'], 'claude-code'), machine);
    const shared = path.join(machine.directory, '.mcp.json');
    expect(lines).toEqual([
      `Claude Code has mcp-notes now: ${shared} was created.`,
      'Set MCP_NOTES_URL in the environment from which Claude Code is started.',
      'Start Claude Code again in this directory and approve the server.',
      `Or, for yourself alone: claude mcp add mcp-notes --env MCP_NOTES_URL="$MCP_NOTES_URL" -- /usr/bin/node ${SCRIPT}`,
    ]);
    expect(await readFile(shared, 'utf8')).not.toContain('ada');
    expect(await modeOf(shared)).toBe(0o666 & ~process.umask());
  });
});
