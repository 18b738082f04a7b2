import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { formatChangedLines, installServer } from '../../../src/cli/setup/install-server.ts';
import type { Machine } from '../../../src/process/machine.ts';
import { UsageError } from '../../../src/process/usage-error.ts';
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
  it('is written to a new private file in a new directory', async () => {
    expect(await install('--read-only', '/srv/notes')).toBe(
      `Added mcp-notes to Cursor: ${file} was created.\nRestart Cursor, or refresh the server in its settings.`,
    );
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ mcpServers: { 'mcp-notes': ENTRY } });
    expect(await modeOf(file)).toBe(0o600);
    expect(await readdir(path.dirname(file))).toEqual(['mcp.json']);
  });

  it('is written to an existing file with a backup, and the file keeps its mode', async () => {
    const before = '{\n  // mine\n  "mcpServers": {},\n  "theme": "dark"\n}\n';
    await write(before);
    await chmod(file, 0o640);
    const [, backup = ''] = /Backup of the previous file: (.*)\n/.exec(await install('--read-only', '/srv/notes')) ?? [];
    expect(await readFile(backup, 'utf8')).toBe(before);
    expect(path.dirname(backup)).toBe(path.dirname(file));
    expect([await modeOf(file), await modeOf(backup)]).toEqual([0o640, 0o640]);
    expect(await readFile(file, 'utf8')).toMatch(/^\{\n {2}\/\/ mine\n {2}"mcpServers": \{\n {4}"mcp-notes": \{\n/);
    expect(await readdir(path.dirname(file))).toHaveLength(2);
  });

  it('is not installed again', async () => {
    await install('/srv/notes');
    const text = await readFile(file, 'utf8');
    expect(await install('/srv/notes')).toBe(`Cursor already has this entry for mcp-notes; ${file} was not changed.`);
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(await readdir(path.dirname(file))).toEqual(['mcp.json']);
  });

  it('has the arguments of its last installation', async () => {
    await install('/srv/old');
    expect(await install('--read-only', '/srv/notes')).toContain('was changed');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ mcpServers: { 'mcp-notes': ENTRY } });
  });

  it('is written to the target of a link, which remains a link', async () => {
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
  ])('removes the access of others to the file and its backup: %o', async (before, after) => {
    await write('{}');
    await chmod(file, before);
    const lines = await withSecret();
    const [, backup = ''] = /Backup of the previous file: (.*)/.exec(lines.join('\n')) ?? [];
    expect([await modeOf(file), await modeOf(backup)]).toEqual([after, after]);
    const warned = lines.includes(`Other users had access to the file (mode ${before.toString(8)}); now only you have access.`);
    expect(warned).toBe(before !== after);
    expect(lines).toContain(`${file} contains the secret MCP_NOTES_URL in plain text.`);
    expect(lines.join('\n')).not.toContain('pw');
  });

  it('removes the access of others even if the file already contains the entry', async () => {
    await withSecret();
    await chmod(file, 0o644);
    expect((await withSecret()).join('\n')).toContain('Other users had access to the file (mode 644)');
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
    expect(lines).toContain(`${file} contains the secret MCP_NOTES_URLS in plain text.`);
    expect(await modeOf(file)).toBe(0o600);
  });

  it('is not reported for a URL without a password', async () => {
    await write('{}');
    await chmod(file, 0o644);
    expect((await withSecret('postgres://ada@db/x')).join('\n')).not.toContain('secret');
    expect(await modeOf(file)).toBe(0o644);
  });
});

describe('a dry run', () => {
  it('shows the changes without writing them', async () => {
    await write('{\n  "mcpServers": {\n    "other": 1\n  }\n}\n');
    const shown = await install('--dry-run', '/srv/notes');
    expect(shown.split('\n').slice(0, 4)).toEqual([
      `Changes to ${file}:`,
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

  it('shows neither the new secret nor secrets in adjacent lines', async () => {
    await write('{\n  "mcpServers": {\n    "other": { "env": { "API_TOKEN": "t0ken" } }\n  }\n}\n');
    const invocation = invocationOf(ArchiveOptions, ['--dry-run', 'plain "secret"'], 'cursor');
    const shown = (await installServer(invocation, machine)).join('\n');
    expect(shown).toContain('"MCP_NOTES_URL": "***"');
    expect(shown).not.toMatch(/secret|t0ken/);
  });
});

describe('a configuration that cannot be changed', () => {
  it.each<readonly [string, string | Uint8Array, string]>([
    ['not JSON', '{ "mcpServers": ', 'FILE is not valid JSON: ValueExpected in line 1; nothing was changed'],
    ['another shape', '[]', 'FILE must contain an object; nothing was changed'],
    ['not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 'FILE is not valid UTF-8'],
    ['UTF-16', Buffer.from('\uFEFF{}', 'utf16le'), 'FILE is not valid UTF-8'],
    ['too large', new Uint8Array(17 * 1024 * 1024), 'FILE is larger than 16 MiB'],
  ])('remains unchanged: %s', async (_, text, message) => {
    await write(text);
    await expect(install('/srv/notes')).rejects.toThrow(new UsageError(message.replace('FILE', file)));
    expect((await readFile(file)).equals(Buffer.from(text))).toBe(true);
    expect(await readdir(path.dirname(file))).toEqual(['mcp.json']);
  });

  it('must not be a directory', async () => {
    await mkdir(file, { recursive: true });
    await expect(install('/srv/notes')).rejects.toThrow(new UsageError(`${file} is not a file`));
  });

  it('is reported if a file has the path of its directory', async () => {
    await writeFile(path.dirname(file), '');
    await expect(install('/srv/notes')).rejects.toThrow(UsageError);
    await expect(install('/srv/notes')).rejects.toThrow(/cannot be changed: ENOTDIR/);
  });
});

describe('a client', () => {
  it.each<readonly [string | undefined, string]>([
    [
      undefined,
      'the client is missing; the clients are claude-desktop, claude-code, vscode, cursor, codex, gemini, goose, opencode, copilot, zed',
    ],
    [
      'cursr',
      'unknown client "cursr"; the clients are claude-desktop, claude-code, vscode, cursor, codex, gemini, goose, opencode, copilot, zed; did you mean cursor?',
    ],
    [
      'toString',
      'unknown client "toString"; the clients are claude-desktop, claude-code, vscode, cursor, codex, gemini, goose, opencode, copilot, zed',
    ],
  ])('is rejected if its name is unknown: %s', async (name, message) => {
    await expect(installServer(invocationOf(NotesOptions, [], name), machine)).rejects.toThrow(new UsageError(message));
  });

  it('of a project is configured in the shared file, and the next steps are printed', async () => {
    const lines = await installServer(invocationOf(ArchiveOptions, ['postgres://ada:pw@db/x'], 'claude-code'), machine);
    const shared = path.join(machine.directory, '.mcp.json');
    expect(lines).toEqual([
      `Added mcp-notes to Claude Code: ${shared} was created.`,
      'Set MCP_NOTES_URL in the environment of Claude Code.',
      'Restart Claude Code in this directory and approve the server.',
      `Alternatively, add the server only for yourself in this project: claude mcp add mcp-notes --env MCP_NOTES_URL="$MCP_NOTES_URL" -- /usr/bin/node ${SCRIPT}`,
    ]);
    expect(await readFile(shared, 'utf8')).not.toContain('ada');
    expect(await modeOf(shared)).toBe(0o666 & ~process.umask());
  });
});

describe('the changed lines of two texts', () => {
  it.each([
    ['', 'a\nb\n', '+ a\n+ b'],
    ['a\nb\nc', 'a\nx\ny\nc', '- b\n+ x\n+ y'],
    ['a\na', 'a\na\na', '+ a'],
    ['a\r\nb\r\n', 'a\r\nb,\r\nc\r\n', '- b\n+ b,\n+ c'],
    ['a', 'a', ''],
  ])('of %j and %j are those between the common start and end', (before, after, lines) => {
    expect(formatChangedLines(before, after)).toBe(lines);
  });
});
