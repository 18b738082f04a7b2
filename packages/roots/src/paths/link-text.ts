import { namesBelow } from './contained.ts';
import { innermost } from './innermost.ts';
import type { Named } from './locate.ts';

/**
 * Whether the text of a link stays inside the directories at each of its steps. Only the text is examined; other links on the path
 * are not resolved.
 *
 * @param from the real path of the directory that contains the link
 */
export function namesOnlyInside(text: string, from: string, directories: readonly Named[]): boolean {
  const parts = text.split(SEPARATORS).filter((part) => part !== '' && part !== '.');
  const start = startOf(text, from, directories);
  if (start === undefined) return false;
  let depth = start.depth;
  for (const part of parts.slice(start.used)) {
    depth += part === '..' ? -1 : 1;
    if (depth < 0) return false;
  }
  return true;
}

const SEPARATORS = process.platform === 'win32' ? /[\\/]/ : /\//;
const ABSOLUTE = process.platform === 'win32' ? /^(?:[a-z]:|[\\/])/i : /^\//;

interface Start {
  /** Number of names below one of the directories. */
  readonly depth: number;
  /** Number of leading parts of the text that name this directory. */
  readonly used: number;
}

function startOf(text: string, from: string, directories: readonly Named[]): Start | undefined {
  if (!ABSOLUTE.test(text)) {
    const depths = directories.map(({ realPath }) => namesBelow(realPath, from)?.length ?? -1);
    const depth = Math.max(-1, ...depths);
    return depth < 0 ? undefined : { depth, used: 0 };
  }
  const holding = innermost(directories, text);
  if (holding === undefined) return undefined;
  const parts = text.split(SEPARATORS).filter((part) => part !== '' && part !== '.');
  const rest = holding.names.filter((name) => name !== '.').length;
  return { depth: 0, used: parts.length - rest };
}
