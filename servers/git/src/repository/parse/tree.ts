import { decodeOutput, splitTextFields } from './fields.ts';

/** An entry of a tree. */
export interface TreeEntry {
  readonly path: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly oid: string;
  /** Size in bytes; only for files. */
  readonly size?: number;
}

const ENTRY = /^\d+ (?<type>blob|tree|commit) (?<oid>[0-9a-f]+) +(?<size>\d+|-)\t(?<path>.+)$/s;

/** Parses the output of `git ls-tree -z --long`. An incomplete last entry is omitted. */
export function parseTree(stdout: Buffer): readonly TreeEntry[] {
  const { text, name } = decodeOutput(stdout);
  return splitTextFields(text).flatMap((line) => {
    const { type, oid = '', size = '-', path = '' } = ENTRY.exec(line)?.groups ?? {};
    if (type !== 'blob' && type !== 'tree' && type !== 'commit') return [];
    return { path: name(path), type, oid, ...(size !== '-' && { size: Number(size) }) };
  });
}
