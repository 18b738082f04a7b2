import { isUtf8 } from 'node:buffer';

import { bytesOfPath } from './path-bytes.ts';

/** A program and its arguments. */
export type Command = readonly [program: string, args: readonly string[]];

/**
 * How git is started with arguments of which those behind `--` are paths, as clients spell them.
 *
 * Node.js passes arguments as UTF-8 only. Other bytes go through a shell, to which nothing is given but their octal numbers, and
 * which git then replaces.
 */
export function gitCommand(args: readonly string[]): Command {
  const end = args.indexOf('--');
  const given = end === -1 ? [] : args.slice(end + 1);
  const paths = given.map(bytesOfPath);
  const plain = end === -1 ? args : args.slice(0, end + 1);
  if (paths.every((bytes) => isUtf8(bytes))) return ['git', [...plain, ...paths.map((bytes) => bytes.toString('utf8'))]];
  return ['sh', ['-c', shellFor(paths), 'git', ...plain]];
}

// A shell takes newlines from the end of what a command wrote, so something else is put there.
function shellFor(paths: readonly Buffer[]): string {
  const variables = paths.map((bytes, position) => `p${position}=$(printf '${octal(bytes)}_')`);
  const values = paths.map((_, position) => `"\${p${position}%_}"`);
  return `${variables.join('; ')}; exec git "$@" ${values.join(' ')}`;
}

function octal(bytes: Buffer): string {
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
