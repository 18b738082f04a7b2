import { isUtf8 } from 'node:buffer';

import { bytesOfPath } from './path-bytes.ts';

/** A program and its arguments. */
export type Command = readonly [program: string, args: readonly string[]];

/**
 * How git is started with arguments of which those behind `--`, and that of `--skip-to`, are paths as clients spell them.
 *
 * Node.js passes arguments as UTF-8 only. Other bytes go through a shell, to which nothing is given but their octal numbers, and
 * which git then replaces.
 */
export function gitCommand(args: readonly string[]): Command {
  const end = args.indexOf('--');
  const all = args.map((arg, position) => (end !== -1 && position > end ? bytesOfPath(arg) : bytesOfArgument(arg)));
  if (all.every((bytes) => isUtf8(bytes))) return ['git', all.map((bytes) => bytes.toString('utf8'))];
  const plain = all.filter((bytes) => isUtf8(bytes)).map((bytes) => bytes.toString('utf8'));
  return ['sh', ['-c', shellFor(all), 'git', ...plain]];
}

/** The only option whose value is a path. */
const SKIP_TO = '--skip-to=';

function bytesOfArgument(arg: string): Buffer {
  return arg.startsWith(SKIP_TO)
    ? Buffer.concat([Buffer.from(SKIP_TO), bytesOfPath(arg.slice(SKIP_TO.length))])
    : Buffer.from(arg);
}

/** What is UTF-8 is taken from the shell's own arguments, in their order. */
function shellFor(args: readonly Buffer[]): string {
  const variables: string[] = [];
  let plain = 0;
  const values = args.map((bytes) => {
    if (isUtf8(bytes)) return `"\${${(plain += 1)}}"`;
    // A shell takes newlines from the end of what a command wrote, so something else is put there.
    variables.push(`p${variables.length}=$(printf '${octal(bytes)}_')`);
    return `"\${p${variables.length - 1}%_}"`;
  });
  return `${variables.join('; ')}; exec git ${values.join(' ')}`;
}

function octal(bytes: Buffer): string {
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
