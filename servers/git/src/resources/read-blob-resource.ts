import { readBlobAt } from '../repository/blob.ts';
import type { Repository } from '../repository/repository.ts';
import { textOf } from '../text/content.ts';
import type { Contents } from './contents.ts';
import type { BlobUri } from './uris.ts';

/**
 * A file as a commit has it, of at most `maxBytes`: as text if it is UTF-8, else as bytes.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_NOT_FOUND, TOO_LARGE, and those of `pathInside`
 */
export async function readBlobResource(repository: Repository, { rev, path }: Pick<BlobUri, 'rev' | 'path'>): Promise<Contents> {
  return fileContents(await readBlobAt(repository, rev, path));
}

/** A file exactly as it is. */
export function fileContents(content: Buffer): Contents {
  const text = textOf(content);
  return text === undefined
    ? { mimeType: 'application/octet-stream', blob: content.toString('base64') }
    : { mimeType: 'text/plain', text };
}
