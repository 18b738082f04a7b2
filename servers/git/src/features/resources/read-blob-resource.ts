import { readBlobAt } from '../../repository/content/blob.ts';
import type { Repository } from '../../repository/repository.ts';
import { decodeUtf8 } from '../../text/utf8.ts';
import type { Contents } from './contents.ts';
import type { BlobUri } from './uris.ts';

/**
 * Reads a file of at most `maxBytes` bytes in a commit: as text if it is UTF-8, otherwise as base64.
 *
 * @throws ToolError the errors of {@link readBlobAt}
 */
export async function readBlobResource(repository: Repository, { rev, path }: Pick<BlobUri, 'rev' | 'path'>): Promise<Contents> {
  return fileContents(await readBlobAt(repository, rev, path));
}

/** Converts the content of a file: to text if it is UTF-8, otherwise to base64. Control characters are not escaped. */
export function fileContents(content: Buffer): Contents {
  const text = decodeUtf8(content);
  return text === undefined
    ? { mimeType: 'application/octet-stream', blob: content.toString('base64') }
    : { mimeType: 'text/plain', text };
}
