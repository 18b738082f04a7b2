import { namesBelow, type DirectoryPaths, deepestContaining } from './containment.ts';

/**
 * Returns whether the text of a link stays inside the directories at each of its steps. Only the text is examined; other links on
 * the path are not resolved.
 *
 * @param from the real path of the directory that contains the link
 */
export function isLinkTextInside(text: string, from: string, directories: readonly DirectoryPaths[]): boolean {
  const parts = text.split(SEPARATORS).filter((part) => part !== '' && part !== '.');
  const start = findStart(text, from, directories);
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
  /**
   * Number of directory levels from an allowed directory down to the place where the remaining parts start: the directory of the link
   * for a relative text, and the allowed directory itself (0) for an absolute text.
   */
  readonly depth: number;
  /** Number of leading parts of the text that name one of the directories; 0 for a relative text. */
  readonly used: number;
}

function findStart(text: string, from: string, directories: readonly DirectoryPaths[]): Start | undefined {
  if (!ABSOLUTE.test(text)) {
    const depths = directories.map(({ realPath }) => namesBelow(realPath, from)?.length ?? -1);
    const depth = Math.max(-1, ...depths);
    return depth < 0 ? undefined : { depth, used: 0 };
  }
  const containment = deepestContaining(directories, text);
  if (containment === undefined) return undefined;
  const parts = text.split(SEPARATORS).filter((part) => part !== '' && part !== '.');
  const rest = containment.names.filter((name) => name !== '.').length;
  return { depth: 0, used: parts.length - rest };
}
