import { decode, endedFields } from './fields.ts';

/** What a directory of a commit holds. */
export interface TreeEntry {
  readonly path: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly oid: string;
  /** In bytes; of files alone. */
  readonly size?: number;
}

const ENTRY = /^\d+ (?<type>blob|tree|commit) (?<oid>[0-9a-f]+) +(?<size>\d+|-)\t(?<path>.+)$/s;

/** The output of `git ls-tree -z --long`; what is cut at its end is left out. */
export function parseTree(stdout: Buffer): readonly TreeEntry[] {
  const { text, name } = decode(stdout);
  return endedFields(text).flatMap((line) => {
    const { type, oid = '', size = '-', path = '' } = ENTRY.exec(line)?.groups ?? {};
    if (type !== 'blob' && type !== 'tree' && type !== 'commit') return [];
    return { path: name(path), type, oid, ...(size !== '-' && { size: Number(size) }) };
  });
}
