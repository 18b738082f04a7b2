import { requireParsable } from './bounds.ts';
import { digestOfTree } from './parser.ts';
import { RecentTexts } from './recent-texts.ts';

/** What a longer one costs, 0.1 s and more, is not worth knowing it again. */
const MAX_LENGTH = 32_768;

const known = new RecentTexts(madeOf);

/** What statements have in common that differ in their values alone, as 16 hexadecimal digits; or why there is none. */
export async function fingerprintOf(sql: string): Promise<string> {
  return sql.length > MAX_LENGTH ? 'too-long' : known.of(sql);
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
