import { ToolError, type RequestContext } from '@org/mcp-decorators';

import type { Files } from '../files.ts';
import { decodeUtf8 } from '../text/decode.ts';
import { readWindow } from '../text/read-window.ts';
import { WHOLE_FILE } from '../text/window.ts';

/**
 * Reads a whole file of at most `maxReadBytes`: as text if it is UTF-8, else as bytes.
 *
 * @throws ToolError TOO_LARGE, and those of `Roots.openFile`
 */
export async function readFileResource(files: Files, path: string, { signal }: RequestContext): Promise<string | Uint8Array> {
  await using file = await files.roots.openFile(path);
  const { maxReadBytes } = files.limits;
  const { bytes, truncated } = await readWindow(file, WHOLE_FILE, { maxBytes: maxReadBytes, signal });
  if (truncated) {
    throw new ToolError('TOO_LARGE', `the file has ${file.size} bytes, a resource at most ${maxReadBytes}`, {
      hint: 'read_text_file reads it in parts; --max-read-bytes raises the limit',
    });
  }
  return decodeUtf8(bytes) ?? bytes;
}
