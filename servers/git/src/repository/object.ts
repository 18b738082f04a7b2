import { ToolError } from '@org/mcp-decorators';

import type { ObjectInfo, StoredObject } from './parse/object-answers.ts';
import type { Repository } from './repository.ts';

/** An object whose content may be a part of it. */
export type ReadObject = StoredObject;

/** Which part of an object is wanted, in bytes. */
export interface ObjectPart {
  /** Default: from its beginning. */
  readonly offset?: number;
  readonly length: number;
}

/** The object that an expression names, if there is one; any text may be given, and is taken for nothing else. */
async function infoOf(repository: Repository, expression: string): Promise<ObjectInfo | undefined> {
  try {
    return await repository.objectInfo(expression);
  } catch (error) {
    // git gives up on some names, such as the upstream of a branch that has none.
    if (ToolError.is(error) && error.code === 'GIT_FAILED') return undefined;
    throw error;
  }
}

/** The name of such an object. */
export async function oidOf(repository: Repository, expression: string): Promise<string | undefined> {
  return (await infoOf(repository, expression))?.oid;
}

/** The object that an expression names, with a part of its bytes; one that is too large to be kept is read by a process of its own. */
export async function readObject(repository: Repository, expression: string, part: ObjectPart): Promise<ReadObject | undefined> {
  const info = await infoOf(repository, expression);
  return info && { ...info, content: await partOf(repository, info, part) };
}

async function partOf(repository: Repository, { oid, type, size }: ObjectInfo, part: ObjectPart): Promise<Buffer> {
  const { offset = 0, length } = part;
  if (length === 0 || offset >= size) return Buffer.alloc(0);
  const end = offset + length;
  const whole =
    size <= repository.limits.maxBytes
      ? (await repository.object(oid))?.content
      : (await repository.read(['cat-file', type, oid], { maxBytes: end })).stdout;
  return whole?.subarray(offset, end) ?? Buffer.alloc(0);
}
