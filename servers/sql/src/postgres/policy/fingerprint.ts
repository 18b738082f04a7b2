import { TextCache } from './parse/text-cache.ts';
import { requireParsable } from './parse/bounds.ts';
import { computeDigest } from './parse/parser.ts';

/** Maximum length of a statement with a fingerprint, in characters. A longer statement would take 0.1 s or more. */
const MAX_LENGTH = 32_768;

const known = new TextCache(compute);

/**
 * Returns the fingerprint of a statement as 16 hexadecimal digits. Returns `too-long` for a statement above `MAX_LENGTH`, and
 * `none` if the fingerprint cannot be computed. Statements that differ only in their values have the same fingerprint.
 */
export async function computeFingerprint(sql: string): Promise<string> {
  return sql.length > MAX_LENGTH ? 'too-long' : known.getOrCompute(sql);
}

async function compute(sql: string): Promise<string> {
  try {
    requireParsable(sql);
    const digest = await computeDigest(sql);
    // Any other text is an error message, which may quote the statement.
    return /^[0-9a-f]{16}$/.test(digest) ? digest : 'none';
  } catch {
    return 'none';
  }
}
