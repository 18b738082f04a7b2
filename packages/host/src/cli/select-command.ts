import { existsSync } from 'node:fs';

import { findNearestName } from '@org/mcp-decorators';

import { UsageError } from '../process/usage-error.ts';
import type { Command } from './commands/command.ts';

/** A command with its arguments. */
export interface SelectedCommand {
  readonly command: Command;
  readonly operand: string | undefined;
  readonly positionals: readonly string[];
}

/** The commands of a program. */
export interface CommandTable {
  readonly commands: Readonly<Record<string, Command>>;
  /** The command that runs if the first argument names no command. */
  readonly fallback: Command;
  /** Whether the arguments without a flag are paths. */
  readonly takesPaths: boolean;
}

/**
 * Selects the command that the first argument names, otherwise the fallback.
 *
 * @throws UsageError if the first of several paths is a word that names neither a command nor an existing path
 */
export function selectCommand(positionals: readonly string[], table: CommandTable): SelectedCommand {
  const { commands, fallback } = table;
  const [first, ...rest] = positionals;
  const command = first === undefined || !Object.hasOwn(commands, first) ? undefined : commands[first];
  if (command === undefined) {
    // A single missing directory is permitted, because it may be created later.
    if (first !== undefined && rest.length > 0) requirePath(first, table);
    return { command: fallback, operand: undefined, positionals };
  }
  return command.operand === undefined
    ? { command, operand: undefined, positionals: rest }
    : { command, operand: rest[0], positionals: rest.slice(1) };
}

/** @throws UsageError if a word names no existing path, but looks like a command, and the program takes paths */
function requirePath(word: string, { commands, takesPaths }: CommandTable): void {
  if (!takesPaths || !/^[a-z][a-z-]*$/i.test(word) || existsSync(word)) return;
  const names = Object.keys(commands);
  const near = findNearestName(word, names);
  const guess = near === undefined ? `the commands are ${names.join(', ')}.` : `did you mean ${near}?`;
  throw new UsageError(`there is no command ${word}; ${guess} For a directory that does not exist yet, write ./${word}`);
}
