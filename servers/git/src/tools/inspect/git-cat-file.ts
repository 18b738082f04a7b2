import { Integer, OneOf, Result, Text } from '@org/mcp-decorators';

import type { ReadObject } from '../../repository/refs/object.ts';
import { resolveObject } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { formatCount, shortOid } from '../../text/format.ts';
import { decodeUtf8, MAX_CHARACTER_BYTES } from '../../text/utf8.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { formatBody } from '../results/result-text.ts';

const ENCODINGS = ['text', 'base64'] as const;

export class GitCatFileInput extends RepositoryInput {
  @Text('Object name, revision or revision:path') object!: string;
  @Integer('Position of the first byte', { min: 0, max: 67_108_864 }) offset = 0;
  @Integer('Maximum number of bytes to return', { optional: true, min: MAX_CHARACTER_BYTES }) max_bytes?: number;
  @OneOf(ENCODINGS, 'text (default): UTF-8 only; base64: any content') encoding: (typeof ENCODINGS)[number] = 'text';
}

/** A part of an object. */
interface ObjectPart extends ReadObject {
  readonly offset: number;
  readonly encoding: GitCatFileInput['encoding'];
}

/**
 * Reads the type and size of an object and at most `maxBytes` of its content. A tree is returned as git stores it; git_show lists it.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function gitCatFile(repository: Repository, input: GitCatFileInput): Promise<Result> {
  const { maxBytes } = repository.limits;
  // base64 needs four characters for three bytes.
  const most = input.encoding === 'base64' ? Math.floor((maxBytes * 3) / 4) : maxBytes;
  const length = Math.min(input.max_bytes ?? most, most);
  const object = await resolveObject(repository, input.object, { offset: input.offset, length });
  return formatObject({ ...object, offset: input.offset, encoding: input.encoding });
}

/** Returns the content as text and its metadata in `_meta`. */
function formatObject({ oid, type, size, content, offset, encoding }: ObjectPart): Result {
  const end = offset + content.length;
  const truncated = end < size;
  const text = encoding === 'base64' ? content.toString('base64') : decodeUtf8(content, truncated);
  // A character that was cut is not shown; the next part starts with it.
  const shown = encoding === 'base64' || text === undefined ? end : offset + Buffer.byteLength(text);
  const facts = { oid, type, size, offset, truncated, encoding, binary: text === undefined };
  const next = truncated ? { next_offset: shown } : {};
  return formatBody({
    body:
      text === undefined
        ? `${type} ${shortOid(oid)}: ${formatCount(size, 'byte')} of binary content; to read the content, set encoding to base64`
        : text,
    facts: { ...facts, ...next },
    title: `${type} ${shortOid(oid)}`,
    ...(size === 0 && { note: `The ${type} is empty.` }),
    ...(truncated && { note: `${type} ${oid} of ${formatCount(size, 'byte')}; continue with offset ${shown}` }),
  });
}
