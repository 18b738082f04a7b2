import type { Repository } from './repository.ts';

type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

/** An object, or the part of it that was asked for. */
export interface ReadObject {
  readonly oid: string;
  readonly type: ObjectType;
  /** Of all of it, in bytes. */
  readonly size: number;
  readonly content: Buffer;
}

const HEADER = /^(?<oid>[0-9a-f]{40}(?:[0-9a-f]{24})?) (?<type>commit|tree|blob|tag) (?<size>\d+)\n/;
const MAX_HEADER = 128;

/**
 * What an expression names, in one process, which is ended after the part that is wanted.
 *
 * @param expression that is no option wherever it is written: it reaches git by stdin. Its answer repeats it, so it must not
 * begin like the one for an object
 */
export async function readObject(
  repository: Repository,
  expression: string,
  { offset = 0, length }: { readonly offset?: number; readonly length: number },
): Promise<ReadObject | undefined> {
  const { code, stdout } = await repository.read(['cat-file', '--batch', '-z'], {
    input: `${expression}\0`,
    codes: [0, 128],
    maxBytes: MAX_HEADER + offset + length,
  });
  const header = code === 0 ? HEADER.exec(stdout.toString('latin1', 0, MAX_HEADER)) : null;
  const { oid = '', type, size } = header?.groups ?? {};
  if (header === null || !isObjectType(type)) return undefined;
  const [{ length: start }] = header;
  const end = Math.min(start + Number(size), start + offset + length);
  return { oid, type, size: Number(size), content: stdout.subarray(start + offset, end) };
}

function isObjectType(type: string | undefined): type is ObjectType {
  return type === 'commit' || type === 'tree' || type === 'blob' || type === 'tag';
}
