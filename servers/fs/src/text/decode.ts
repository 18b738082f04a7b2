import { ToolError } from '@org/mcp-decorators';
import { spelled } from '@org/mcp-roots';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The text of UTF-8 bytes, without byte order mark; `undefined` if they are not text. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The text of a file that has to be text.
 *
 * @throws ToolError BINARY_FILE, ENCODING
 */
export function decodeText(bytes: Uint8Array, given: string): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  if (bytes.includes(0)) throw new ToolError('BINARY_FILE', `${spelled(given)} is not a text file`);
  throw new ToolError('ENCODING', `${spelled(given)} is not valid UTF-8`);
}
