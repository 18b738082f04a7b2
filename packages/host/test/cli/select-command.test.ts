import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { Command } from '../../src/cli/commands/command.ts';
import { selectCommand, type SelectedCommand } from '../../src/cli/select-command.ts';
import { UsageError } from '../../src/process/usage-error.ts';

const run = (): Promise<number> => Promise.resolve(0);
const serve: Command = { summary: 'Serve', run };
const check: Command = { summary: 'Check', run };
const install: Command = { summary: 'Install', operand: 'CLIENT', run };

function select(positionals: readonly string[], takesPaths = true): SelectedCommand {
  return selectCommand(positionals, { commands: { serve, check, install }, fallback: serve, takesPaths });
}

describe('the first argument', () => {
  it.each<[readonly string[], SelectedCommand]>([
    [[], { command: serve, operand: undefined, positionals: [] }],
    [['check', 'src'], { command: check, operand: undefined, positionals: ['src'] }],
    [['install', 'cursor', 'src'], { command: install, operand: 'cursor', positionals: ['src'] }],
    [['install'], { command: install, operand: undefined, positionals: [] }],
    [['toString'], { command: serve, operand: undefined, positionals: ['toString'] }],
    [['packages', 'later'], { command: serve, operand: undefined, positionals: ['packages', 'later'] }],
    [['./later', 'packages'], { command: serve, operand: undefined, positionals: ['./later', 'packages'] }],
    [['later/docs', 'packages'], { command: serve, operand: undefined, positionals: ['later/docs', 'packages'] }],
    [['later'], { command: serve, operand: undefined, positionals: ['later'] }],
  ])('of %j selects the command and leaves its arguments', (positionals, expected) => {
    expect(select(positionals)).toEqual(expected);
  });

  it.each<[string, string]>([
    ['frobnicate', 'there is no command frobnicate; the commands are serve, check, install. For'],
    ['instal', 'there is no command instal; did you mean install? For'],
  ])('is an error if it is a word that names neither a command nor a path: %s', async (word, message) => {
    const directory = await mkdtemp(path.join(tmpdir(), 'mcp-host-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    expect(() => select([word, directory])).toThrow(UsageError);
    expect(() => select([word, directory])).toThrow(message);
  });

  it('may be any word if the arguments are not paths', () => {
    expect(select(['sales', 'x'], false).command).toBe(serve);
  });
});
