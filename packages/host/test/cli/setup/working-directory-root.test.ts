import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it, onTestFinished } from 'vitest';

import { DirectoryOptions } from '../../../src/directories/directory-options.ts';
import { prepare } from '../../../src/cli/setup/preparation.ts';
import type { Machine } from '../../../src/process/machine.ts';
import { invocationOf, MACHINE } from './invoked.ts';
import { NotesOptions } from './notes-options.ts';

const SCRIPT = fileURLToPath(import.meta.url);

interface Prepared {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly advice: string;
}

async function prepared(client: string, argv: readonly string[], env: Machine['env'] = {}): Promise<Prepared> {
  const { entry, advice } = await prepare(invocationOf(DirectoryOptions, argv, client), { ...MACHINE, env, script: SCRIPT });
  return { args: entry.args.slice(1), env: entry.env, advice: advice.join('\n') };
}

async function configFile(content: object): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'config-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = path.join(directory, 'config.json');
  await writeFile(file, JSON.stringify(content));
  return file;
}

describe('the entry of a server that works in directories', () => {
  it('has --roots overlap for Claude Code, whose only root is its working directory, and the advice says so', async () => {
    const { args, advice } = await prepared('claude-code', []);
    expect(args).toEqual(['--roots=overlap']);
    expect(advice).toMatch(/^The entry has --roots=overlap: Claude Code reports its working directory as its only root/);
    expect(advice).toMatch(/claude mcp add mcp-notes -- .* --roots=overlap$/m);
  });

  it.each(['claude-desktop', 'vscode', 'cursor'])('has no --roots for %s', async (client) => {
    const { args, advice } = await prepared(client, []);
    expect(args).toEqual([]);
    expect(advice).not.toContain('--roots');
  });

  it.each(['narrow', 'overlap', 'only', 'off'])('has the --roots that the user chose on the command line: %s', async (use) => {
    const { args, advice } = await prepared('claude-code', ['--roots', use]);
    expect(args).toEqual([`--roots=${use}`]);
    expect(advice).not.toContain('The entry has --roots');
  });

  it('has the --roots that the user chose in the environment', async () => {
    const { args, env } = await prepared('claude-code', [], { MCP_NOTES_ROOTS: 'narrow' });
    expect([args, env]).toEqual([[], { MCP_NOTES_ROOTS: 'narrow' }]);
  });

  it('has no --roots if the user chose a value in a config file', async () => {
    const chosen = await configFile({ roots: 'narrow' });
    expect((await prepared('claude-code', ['--config', chosen])).args).toEqual([`--config=${chosen}`]);
    const others = await configFile({ maxWatches: 5 });
    expect((await prepared('claude-code', ['--config', others])).args).toEqual([`--config=${others}`, '--roots=overlap']);
  });
});

describe('the entry of a server without directories', () => {
  it('has no --roots', async () => {
    const { entry } = await prepare(invocationOf(NotesOptions, [], 'claude-code'), { ...MACHINE, script: SCRIPT });
    expect(entry.args).toEqual([SCRIPT]);
  });
});
