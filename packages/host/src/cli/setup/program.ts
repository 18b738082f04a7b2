import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

import { UsageError } from '../../process/usage-error.ts';
import type { Machine } from '../../process/machine.ts';

/** A command and its first arguments. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** The parts of a `package.json` that describe its programs. */
interface Manifest {
  readonly name?: unknown;
  readonly private?: unknown;
  readonly bin?: unknown;
}

/**
 * Returns the command that starts this program from any directory: `npx` for an installed package, otherwise the file.
 *
 * A private package is started by its file: it is not in a registry, where `npx` could find an unrelated package with the same
 * name.
 */
export async function findProgram({ node, script }: Pick<Machine, 'node' | 'script'>): Promise<Program> {
  if (script === undefined) throw new UsageError('this program was not started from a file, so a client cannot start it');
  const file = await realpath(script);
  const directory = findInstalledPackage(file);
  const args =
    directory === undefined ? undefined : createNpxArguments(await readManifest(directory), path.relative(directory, file));
  return args === undefined ? { command: node, args: [file] } : { command: 'npx', args: ['-y', ...args] };
}

/**
 * Returns the directory of the installed package that contains a file, or `undefined` if the file is not below `node_modules`, as
 * in a source checkout.
 */
function findInstalledPackage(file: string): string | undefined {
  const parts = file.split(path.sep);
  const position = parts.lastIndexOf('node_modules');
  if (position < 0) return undefined;
  const depth = parts[position + 1]?.startsWith('@') === true ? 2 : 1;
  return parts.slice(0, position + 1 + depth).join(path.sep);
}

async function readManifest(directory: string): Promise<Manifest> {
  try {
    const manifest: unknown = JSON.parse(await readFile(path.join(directory, 'package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null ? manifest : {};
  } catch {
    // Without a manifest, the directory is not an installed package.
    return {};
  }
}

/**
 * Returns the arguments with which npx runs this file, or `undefined` if npx cannot run the file. Without `--package`, npx runs the
 * only program of a package, or the program with the package's name.
 */
function createNpxArguments({ name, private: isPrivate, bin }: Manifest, file: string): readonly string[] | undefined {
  if (typeof name !== 'string' || isPrivate === true) return undefined;
  const ownName = name.split('/').at(-1) ?? name;
  const programs = typeof bin === 'object' && bin !== null ? Object.entries(bin) : [[ownName, bin] as const];
  const program = programs.find(([, target]) => typeof target === 'string' && path.normalize(target) === file)?.[0];
  if (program === undefined) return undefined;
  return programs.length === 1 || program === ownName ? [name] : [`--package=${name}`, program];
}
