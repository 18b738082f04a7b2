import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

import { UsageError } from '../usage-error.ts';
import type { Machine } from './machine.ts';

/** A command and its first arguments. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a `package.json` says of the programs in it. */
interface Manifest {
  readonly name?: unknown;
  readonly private?: unknown;
  readonly bin?: unknown;
}

/**
 * How this program is started anew from anywhere: by `npx` where it is part of an installed package, else by the file itself.
 *
 * A private package is in no registry: there `npx` would run somebody else's, if it has the name.
 */
export async function programOf({ node, script }: Pick<Machine, 'node' | 'script'>): Promise<Program> {
  if (script === undefined) throw new UsageError('this program was not started from a file, so it cannot be started again');
  const file = await realpath(script);
  const directory = installedPackage(file);
  const args = directory === undefined ? undefined : npxArguments(await readManifest(directory), path.relative(directory, file));
  return args === undefined ? { command: node, args: [file] } : { command: 'npx', args: ['-y', ...args] };
}

/** The directory of the package that a file was installed with; `undefined` for a file of a checkout. */
function installedPackage(file: string): string | undefined {
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
    // What has no manifest was not installed as a package.
    return {};
  }
}

/** What npx takes to run this file of a package; `undefined` if it cannot. Of several programs it takes the one of the package's name. */
function npxArguments({ name, private: isPrivate, bin }: Manifest, file: string): readonly string[] | undefined {
  if (typeof name !== 'string' || isPrivate === true) return undefined;
  const ownName = name.split('/').at(-1) ?? name;
  const programs = typeof bin === 'object' && bin !== null ? Object.entries(bin) : [[ownName, bin] as const];
  const program = programs.find(([, target]) => typeof target === 'string' && path.normalize(target) === file)?.[0];
  if (program === undefined) return undefined;
  return programs.length === 1 || program === ownName ? [name] : [`--package=${name}`, program];
}
