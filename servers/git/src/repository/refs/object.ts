import { ToolError } from '@org/mcp-decorators';

import type { ObjectInfo, StoredObject } from '../parse/object-responses.ts';
import type { Repository } from '../repository.ts';

/** An object with all or a part of its content. */
export type ReadObject = StoredObject;

/** A range of bytes of an object. */
export interface ObjectPart {
  /** First byte; defaults to 0. */
  readonly offset?: number;
  readonly length: number;
}

/**
 * Returns the object that an expression names, or `undefined` if no such object exists. The expression may be any text; git never
 * parses it as an option.
 */
export async function findObject(repository: Repository, expression: string): Promise<ObjectInfo | undefined> {
  try {
    return await repository.objectInfo(expression);
  } catch (error) {
    // Git fails for some names, such as the upstream of a branch that has no upstream.
    if (ToolError.is(error) && error.code === 'GIT_FAILED') return undefined;
    throw error;
  }
}

/** Returns the object name of the object that an expression names, or `undefined` if no such object exists. */
export async function findOid(repository: Repository, expression: string): Promise<string | undefined> {
  return (await findObject(repository, expression))?.oid;
}

/**
 * Reads a part of the object that an expression names. Returns `undefined` if no such object exists. A separate process reads an
 * object that is larger than `maxBytes`.
 */
export async function readObject(repository: Repository, expression: string, part: ObjectPart): Promise<ReadObject | undefined> {
  const info = await findObject(repository, expression);
  return info && { ...info, content: await readPart(repository, info, part) };
}

async function readPart(repository: Repository, { oid, type, size }: ObjectInfo, part: ObjectPart): Promise<Buffer> {
  const { offset = 0, length } = part;
  if (length === 0 || offset >= size) return Buffer.alloc(0);
  const end = offset + length;
  const whole =
    size <= repository.limits.maxBytes
      ? (await repository.object(oid))?.content
      : (await repository.read(['cat-file', type, oid], { maxBytes: end })).stdout;
  return whole?.subarray(offset, end) ?? Buffer.alloc(0);
}
