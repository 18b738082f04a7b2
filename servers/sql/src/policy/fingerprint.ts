import { requireParsable } from './bounds.ts';
import { digestOfTree } from './parser.ts';

/** What a longer one costs, 0.1 s and more, is not worth knowing it again. */
const MAX_LENGTH = 32_768;
/** Many calls repeat a statement. */
const KNOWN_LENGTH = 4096;
const MAX_KNOWN = 200;

const known = new Map<string, string>();

/** What statements have in common that differ in their values alone, as 16 hexadecimal digits; or why there is none. */
export async function fingerprintOf(sql: string): Promise<string> {
  if (sql.length > MAX_LENGTH) return 'too-long';
  const before = known.get(sql);
  if (before !== undefined) return before;
  const found = await madeOf(sql);
  if (sql.length > KNOWN_LENGTH) return found;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(sql, found);
  return found;
}

async function madeOf(sql: string): Promise<string> {
  try {
    requireParsable(sql);
    const digest = await digestOfTree(sql);
    // Anything else is a complaint, which repeats the statement's words.
    return /^[0-9a-f]{16}$/.test(digest) ? digest : 'none';
  } catch {
    return 'none';
  }
}
