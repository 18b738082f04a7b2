import { isUtf8 } from 'node:buffer';

import { wordsOf } from './parse/fields.ts';
import type { Repository } from './repository.ts';

/**
 * What a diff must not do, and how it looks whatever the configuration says. Submodules are compared by their commits alone:
 * to look into one, git starts another git in it, and nobody looked at the configuration there.
 */
export const DIFF_FLAGS = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
] as const;

/** A body that git wrote, as much of it as fits. */
export interface Body {
  readonly text: string;
  readonly truncated: boolean;
}

/** Runs a command whose output is shown, cut at a line end by `maxBytes`; git is ended there. */
export async function readBody(repository: Repository, command: readonly string[]): Promise<Body> {
  const { stdout, truncated } = await repository.read(command, { maxBytes: repository.limits.maxBytes });
  const end = truncated ? stdout.lastIndexOf('\n') + 1 : stdout.length;
  // One line that is longer than the limit is cut within.
  return { text: bodyOf(stdout.subarray(0, end === 0 ? stdout.length : end)), truncated };
}

/** Files of several encodings may stand in one diff: each line is read by itself. */
function bodyOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const lines = bytes.toString('latin1').split('\n');
  return lines.map((line) => wordsOf(Buffer.from(line, 'latin1'))).join('\n');
}
