import { Integer, OneOf, Text } from '@org/mcp-decorators';

import type { ReadObject } from '../repository/object.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveObject } from '../repository/revision.ts';
import { MOST_BYTES } from '../text/end-of-character.ts';
import { RepositoryInput } from './repository-input.ts';

const ENCODINGS = ['text', 'base64'] as const;

export class GitCatFileInput extends RepositoryInput {
  @Text('Object name, revision or revision:path') object!: string;
  @Integer('First byte', { min: 0, max: 67_108_864 }) offset = 0;
  @Integer({ optional: true, min: MOST_BYTES }) max_bytes?: number;
  @OneOf(ENCODINGS, 'What is not UTF-8 is only described as text') encoding: (typeof ENCODINGS)[number] = 'text';
}

/** A part of an object. */
export interface ObjectPart extends ReadObject {
  readonly offset: number;
  readonly encoding: GitCatFileInput['encoding'];
}

/**
 * An object's type and size, and at most `maxBytes` of its content; a tree's is what git stores, which git_show lists.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function gitCatFile(repository: Repository, input: GitCatFileInput): Promise<ObjectPart> {
  const { maxBytes } = repository.limits;
  // As base64, three bytes are four characters.
  const most = input.encoding === 'base64' ? Math.floor((maxBytes * 3) / 4) : maxBytes;
  const length = Math.min(input.max_bytes ?? most, most);
  const object = await resolveObject(repository, input.object, { offset: input.offset, length });
  return { ...object, offset: input.offset, encoding: input.encoding };
}
