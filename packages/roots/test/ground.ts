import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import { onTestFinished } from 'vitest';

import { Roots, type Guarantee, type RootSetting, type RootsOptions } from '../src/index.ts';

/** Those that this machine can give. */
export const GUARANTEES: readonly Guarantee[] = process.platform === 'linux' ? ['pinned', 'rechecked'] : ['rechecked'];

/** A root with a few files, and things beside it that must stay out of reach; it goes with the test. */
export interface Ground {
  /** What holds everything of the test. */
  readonly base: string;
  /** `…/w/safe`, by its real path; holds `ok.txt` and the directory `a` with `b.txt`. */
  readonly root: string;
  /** `…/outside`; holds `secret.txt`. */
  readonly outside: string;
  readonly roots: Roots;
}

export async function ground(options: RootsOptions = {}): Promise<Ground> {
  const base = await temporaryDirectory();
  const root = path.join(base, 'w/safe');
  const outside = path.join(base, 'outside');
  await write(path.join(root, 'ok.txt'), path.join(root, 'a/b.txt'), path.join(outside, 'secret.txt'));
  return { base, root, outside, roots: await opened([root], options) };
}

/** Roots that are released with the test. */
export async function opened(directories: readonly (string | RootSetting)[], options: RootsOptions = {}): Promise<Roots> {
  const roots = await Roots.open(directories, options);
  onTestFinished(() => roots[Symbol.asyncDispose]());
  return roots;
}

export async function temporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-roots-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  // Other users may look into it, so that only what a test locks is locked for them.
  await chmod(directory, 0o755);
  return directory;
}

/** Writes each file, and the directories it needs; its name is its content. */
export async function write(...files: readonly string[]): Promise<void> {
  for (const file of files) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, path.basename(file));
  }
}

/** `allowed`, or the code of the error that the model is shown. */
export async function outcome(operation: Promise<unknown>): Promise<string> {
  return operation.then(
    () => 'allowed',
    (error: unknown) => shownError(error).code,
  );
}

/** The error of what has to be refused. */
export async function refusal(operation: Promise<unknown>): Promise<ToolError> {
  return operation.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => shownError(error),
  );
}

/** Everything of an error that reaches a client. */
export function visible({ text, data }: ToolError): string {
  return data === undefined ? text : `${text}\n${JSON.stringify(data)}`;
}

export function shownError(error: unknown): ToolError {
  if (ToolError.is(error)) return error;
  throw error;
}

/** Runs without root's right to pass every permission, where the tests have it. */
export async function unprivileged<Value>(work: () => Promise<Value>): Promise<Value> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
