import { Field, ToolError } from '@org/mcp-decorators';
import { IsString } from 'class-validator';

import { readBlob } from '../repository/blob.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';

/** The variable of `git://{repo}/status`, decoded. */
export class RepositoryUri {
  @Field('Name of the repository, as git_status gives it')
  @IsString()
  repo!: string;
}

/** The variables of `git://{repo}/blob/{rev}/{+path}`, decoded. */
export class BlobUri extends RepositoryUri {
  @Field('Branch, tag or commit; a slash in it is written %2F')
  @IsString()
  rev!: string;

  @Field('Path in that commit')
  @IsString()
  path!: string;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const NAMES_NOTHING = new Set(['INVALID_REVISION', 'EMPTY_REPO', 'PATH_NOT_FOUND', 'INVALID_PATH', 'NOT_A_REPO']);

/**
 * A file as a commit has it, of at most `maxBytes`: as text if it is UTF-8, else as bytes.
 *
 * @throws ToolError NOT_FOUND, TOO_LARGE
 */
export async function readBlobResource(repository: Repository, { rev, path }: BlobUri): Promise<string | Uint8Array> {
  try {
    return textOrBytes(await readBlob(repository, await resolveCommit(repository, rev), path));
  } catch (error) {
    if (ToolError.is(error) && NAMES_NOTHING.has(error.code)) throw new ToolError('NOT_FOUND', error.message, { cause: error });
    throw error;
  }
}

function textOrBytes(content: Buffer): string | Uint8Array {
  if (content.includes(0)) return content;
  try {
    return UTF8.decode(content);
  } catch {
    return content;
  }
}
