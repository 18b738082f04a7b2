import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { readFileBelow } from '../guard/state-file.ts';
import type { Operation } from './operation.ts';

/** Maximum size of a state file that is checked, in bytes. */
const MAX_STEPS = 4_194_304;

/** Matches a trimmed line of the list of steps that starts no program. */
const HARMLESS =
  /^(?:#.*|(?:pick|p|revert|edit|e|reword|r|squash|s|fixup|f|drop|d|label|l|reset|t|merge|m|update-ref|u)(?:\s.*)?|noop|break|b)?$/;

/** Accepted merge strategies; empty if the operation names none. For another strategy, git may start a program or an alias. */
const STRATEGIES = ['', 'ort', 'recursive'];

/** Operations that git runs as a sequence of steps. */
export type Sequence = Extract<Operation['kind'], 'rebase' | 'cherry-pick' | 'revert'>;

/** Directories below the git directory in which git keeps the steps that are left. */
export const STEPS_DIRECTORIES: Readonly<Record<Sequence, string>> = {
  rebase: 'rebase-merge',
  'cherry-pick': 'sequencer',
  revert: 'sequencer',
};

/** Whether an operation, or the command that continues it, consists of steps. */
export function isSequence(name: string | undefined): name is Sequence {
  return name !== undefined && Object.hasOwn(STEPS_DIRECTORIES, name);
}

/**
 * Requires that the operation in progress starts no program. Git continues from files in the git directory, which another program
 * may have written: a step can be any command, a strategy any program, and signing runs a program.
 *
 * @param gitDir the git directory, or a private copy of its state
 * @throws ToolError REPO_UNTRUSTED
 */
export async function requireHarmlessSteps(gitDir: string, operation: Operation): Promise<void> {
  if (operation.kind === 'am' || operation.steps === false)
    throw untrustedError(operation.kind, 'it applies patches from files in the git directory');
  if (!isSequence(operation.kind)) return;
  const directory = path.join(gitDir, STEPS_DIRECTORIES[operation.kind]);
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  if (!entries.every((entry) => entry.isFile()))
    throw untrustedError(operation.kind, 'one of its state files is not a regular file');
  const names = entries.map((entry) => entry.name);
  const text = async (file: string): Promise<string> => (names.includes(file) ? readStateText(directory, file) : '');
  const problem = findProgram({
    steps: `${await text('git-rebase-todo')}\n${await text('todo')}`,
    strategy: await text('strategy'),
    signature: await text('gpg_sign_opt'),
    options: await text('opts'),
  });
  if (problem !== undefined) throw untrustedError(operation.kind, problem);
}

/** The contents of the state files; empty for a missing file, and {@link UNREADABLE} for a file that cannot be read completely. */
interface SequenceState {
  readonly steps: string;
  readonly strategy: string;
  readonly signature: string;
  readonly options: string;
}

/** Returns why continuing may start a program, or `undefined`. */
function findProgram({ steps, strategy, signature, options }: SequenceState): string | undefined {
  if (!steps.split('\n').every((line) => HARMLESS.test(line.trim()))) return 'one of its steps starts a program';
  if (options === UNREADABLE) return 'its options cannot be read completely';
  if (!STRATEGIES.includes(strategy.trim()) || namesStrategy(options)) return 'its merge strategy is an external program';
  const signs = signature.trim() !== '' || /gpg-sign/i.test(options);
  return signs ? 'it signs commits, which starts a program' : undefined;
}

/** Text that stands for a file that cannot be read completely. It is a step that starts a program, and no accepted strategy. */
const UNREADABLE = 'exec';

async function readStateText(directory: string, file: string): Promise<string> {
  const content = await readFileBelow(directory, file, MAX_STEPS);
  if (content === undefined || content.length === MAX_STEPS) return UNREADABLE;
  return content.toString('utf8');
}

/**
 * Whether options name a merge strategy other than `ort` and `recursive`. Git writes them in the form of a configuration file,
 * one per line.
 */
function namesStrategy(options: string): boolean {
  return /strategy(?!-option)/i.test(options.replaceAll(/^\tstrategy = (?:ort|recursive)$/gm, ''));
}

/** Creates the error for an operation that must not be continued. */
export function untrustedError(kind: Operation['kind'], reason: string): ToolError {
  return new ToolError('REPO_UNTRUSTED', `the ${kind} in progress cannot be continued: ${reason}`, {
    hint: `continue the ${kind} with git on the command line, or abort it with git_abort`,
  });
}
