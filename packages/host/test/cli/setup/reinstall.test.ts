import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { CLIENTS } from '../../../src/cli/setup/clients.ts';
import { loadEditor, readValue } from '../../../src/cli/setup/edit-configuration.ts';
import { installServer, uninstallServer } from '../../../src/cli/setup/install-server.ts';
import type { Machine } from '../../../src/process/machine.ts';
import { UsageError } from '../../../src/process/usage-error.ts';
import { invocationOf, MACHINE } from './invoked.ts';
import { NotesOptions } from './notes-options.ts';

const SCRIPT = fileURLToPath(import.meta.url);

/** For each language, a function that returns a configuration with a comment and another server. */
const OTHERS: Readonly<Record<string, (servers: string) => string>> = {
  json: (servers) => `{\n  // mine\n  "${servers}": {\n    "other": { "command": "x" }\n  },\n  "theme": "dark"\n}\n`,
  toml: (servers) => `# mine\nmodel = "x"\n\n[${servers}.other]\ncommand = "x"\n`,
  yaml: (servers) => `# mine\ntheme: dark\n${servers}:\n  other:\n    cmd: x\n`,
};

let machine: Machine = MACHINE;

beforeEach(async () => {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), 'reinstall-')));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  machine = { ...MACHINE, home, directory: home, script: SCRIPT };
});

async function install(client: string, ...argv: readonly string[]): Promise<string> {
  return (await installServer(invocationOf(NotesOptions, argv, client), machine)).join('\n');
}

async function uninstall(client: string, ...argv: readonly string[]): Promise<string> {
  return (await uninstallServer(invocationOf(NotesOptions, argv, client), machine)).join('\n');
}

/** Writes the configuration file of a client. */
async function write(client: string, text: string): Promise<string> {
  const file = CLIENTS[client]?.file(machine) ?? '';
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

describe.each(Object.entries(CLIENTS))('the entry for %s', (name, { language, servers, title }) => {
  it('is installed once, and its removal restores the file', async () => {
    const before = OTHERS[language]?.(servers) ?? '';
    const file = await write(name, before);
    expect(await install(name, '/srv/notes')).toContain(`Added mcp-notes to ${title}`);
    expect(await install(name, '/srv/notes')).toContain('was not changed');
    expect(await uninstall(name)).toMatch(`Removed mcp-notes from ${title}: ${file} was changed.\nBackup of the previous file: `);
    expect(await readFile(file, 'utf8')).toBe(before);
    await expect(uninstall(name)).rejects.toThrow(new UsageError(`${file} has no entry mcp-notes; its entries are other`));
  });

  it('has the given name', async () => {
    await install(name, '--name', 'my_notes', '/srv/notes');
    const text = await readFile(CLIENTS[name]?.file(machine) ?? '', 'utf8');
    expect(readValue(await loadEditor(language), text, [servers])).toHaveProperty('my_notes');
    await expect(uninstall(name)).rejects.toThrow(/has no entry mcp-notes; its entries are my_notes$/);
    expect(await uninstall(name, '--name', 'my_notes')).toContain('Removed my_notes');
  });
});

describe('an entry that is installed again', () => {
  it('keeps what the user added, and the answer names it and the previous command', async () => {
    const file = await write(
      'cursor',
      JSON.stringify({
        mcpServers: {
          'mcp-notes': { command: 'npx', args: ['-y', 'old', 'postgres://ada:pw@db/x'], env: { TZ: 'UTC' }, disabled: true },
        },
      }),
    );
    const said = await install('cursor', '/srv/notes');
    expect(said).toContain('The previous command was: npx -y old postgres://ada:***@db/x\n');
    expect(said).toContain('Properties of the previous entry that were kept, unless the options set them: env.TZ, disabled\n');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      mcpServers: {
        'mcp-notes': { command: '/usr/bin/node', args: [SCRIPT, '/srv/notes'], env: { TZ: 'UTC' }, disabled: true },
      },
    });
  });

  it('is no longer an entry for a remote server', async () => {
    const remote = { type: 'http', url: 'https://example.org/mcp', headers: { Authorization: 'Bearer x' } };
    const file = await write('claude-code', JSON.stringify({ mcpServers: { 'mcp-notes': remote } }));
    await install('claude-code', '/srv/notes');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      mcpServers: { 'mcp-notes': { type: 'stdio', command: '/usr/bin/node', args: [SCRIPT, '/srv/notes'] } },
    });
  });

  it('stays disabled', async () => {
    await install('goose', '/srv/notes');
    const file = CLIENTS['goose']?.file(machine) ?? '';
    await writeFile(file, (await readFile(file, 'utf8')).replace('enabled: true', 'enabled: false'));
    await install('goose', '/srv/other');
    expect(await readFile(file, 'utf8')).toMatch(/enabled: false\n[^]*\/srv\/other/);
  });
});

describe('uninstall', () => {
  it('shows the changes of a dry run without writing them', async () => {
    await install('cursor', '/srv/notes');
    const directory = path.join(machine.home, '.cursor');
    const before = await readFile(path.join(directory, 'mcp.json'), 'utf8');
    expect(await uninstall('cursor', '--dry-run')).toMatch(/^Changes to .*\n- /);
    expect(await readFile(path.join(directory, 'mcp.json'), 'utf8')).toBe(before);
    expect(await readdir(directory)).toEqual(['mcp.json']);
  });

  it('rejects further arguments, which it would ignore', async () => {
    await expect(uninstall('cursor', '/srv/notes')).rejects.toThrow('uninstall takes only the client, got "/srv/notes"');
  });

  it('creates no file', async () => {
    await expect(uninstall('zed')).rejects.toThrow(/settings\.json has no entry mcp-notes$/);
    expect(await readdir(machine.home)).toEqual([]);
  });
});

describe('the name of an entry', () => {
  it.each(['', ' ', 'a b', 'a.b', '../x', '-x', 'x'.repeat(65), '__proto__', 'a"]'])('is rejected: %j', async (name) => {
    await expect(install('codex', `--name=${name}`)).rejects.toThrow(/^--name: expected 1 to 64 letters/);
  });
});
