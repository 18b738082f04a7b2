import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import { onTestFinished } from 'vitest';

import { Roots, type Guarantee, type RootSetting, type RootsOptions } from '../src/index.ts';

/** The guarantees that the current platform supports. */
export const GUARANTEES: readonly Guarantee[] = process.platform === 'linux' ? ['pinned', 'rechecked'] : ['rechecked'];

/** A root with a few files, and files beside it that must stay unreachable. All these files are removed after the test. */
export interface RootFixture {
  /** The temporary directory that contains all files of the test. */
  readonly base: string;
  /** `…/w/safe` by its real path; contains `ok.txt` and the directory `a` with `b.txt`. */
  readonly root: string;
  /** `…/outside`; contains `secret.txt`. */
  readonly outside: string;
  readonly roots: Roots;
}

export async function createFixture(options: RootsOptions = {}): Promise<RootFixture> {
  const base = await temporaryDirectory();
  const root = path.join(base, 'w/safe');
  const outside = path.join(base, 'outside');
  await write(path.join(root, 'ok.txt'), path.join(root, 'a/b.txt'), path.join(outside, 'secret.txt'));
  return { base, root, outside, roots: await openRoots([root], options) };
}

/** Opens roots that are disposed of after the test. */
export async function openRoots(directories: readonly (string | RootSetting)[], options: RootsOptions = {}): Promise<Roots> {
  const roots = await Roots.open(directories, options);
  onTestFinished(() => roots[Symbol.asyncDispose]());
  return roots;
}

export async function temporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-roots-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  // Other users may read the directory, so that they are locked out only of files that a test locks.
  await chmod(directory, 0o755);
  return directory;
}

/** Writes each file and its missing parents. The content of a file is its name. */
export async function write(...files: readonly string[]): Promise<void> {
  for (const file of files) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, path.basename(file));
  }
}

/** Returns `allowed`, or the code of the error that the model receives. */
export async function getOutcome(operation: Promise<unknown>): Promise<string> {
  return operation.then(
    () => 'allowed',
    (error: unknown) => requireToolError(error).code,
  );
}

/** Returns the error of an operation that must be refused. */
export async function getRefusal(operation: Promise<unknown>): Promise<ToolError> {
  return operation.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => requireToolError(error),
  );
}

/** Returns everything of an error that reaches a client. */
export function formatError({ text, data }: ToolError): string {
  return data === undefined ? text : `${text}\n${JSON.stringify(data)}`;
}

export function requireToolError(error: unknown): ToolError {
  if (ToolError.is(error)) return error;
  throw error;
}

/** Runs `work` without root's privilege to ignore permissions, if the tests run as root. */
export async function runUnprivileged<Value>(work: () => Promise<Value>): Promise<Value> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
