import { ToolError, type CacheHint, type Facts } from '@org/mcp-decorators';

import { isOid } from '../repository/revision.ts';
import { visibleBody } from '../text/visible.ts';

/** What a resource holds; its URI is the one that was asked for. */
export interface Contents {
  readonly mimeType: string;
  readonly _meta?: Facts;
  readonly text?: string;
  /** Base64. */
  readonly blob?: string;
}

/** What a resource answers, and how long that may be kept. */
export interface Answer extends CacheHint {
  readonly contents: readonly Contents[];
}

/** What a full object name leads to is the same for ever; a year is as long as caches believe. */
const FOR_EVER: CacheHint = { ttlMs: 31_536_000_000 };

const ABSENCES = new Set([
  'EMPTY_REPO',
  'INVALID_PATH',
  'INVALID_REVISION',
  'NOT_A_REPO',
  'NOT_FOUND',
  'NO_WORK_TREE',
  'PATH_NOT_FOUND',
  'PATH_OUTSIDE_ROOTS',
]);

/**
 * Answers with what is read, kept for ever by clients if all that names it is a full object name.
 *
 * @throws ToolError NOT_FOUND for what is not there
 */
export async function answer(read: () => Promise<Contents>, names: readonly string[] = []): Promise<Answer> {
  try {
    const contents = [await read()];
    return areImmutable(names) ? { contents, ...FOR_EVER } : { contents };
  } catch (error) {
    if (ToolError.is(error) && isAbsence(error)) throw new ToolError('NOT_FOUND', error.message, { cause: error });
    throw error;
  }
}

/** Whether an error says that there is nothing of that name. */
export function isAbsence({ code }: ToolError): boolean {
  return ABSENCES.has(code);
}

/** Whether what is named so can never become something else. */
export function areImmutable(names: readonly string[]): boolean {
  return names.length > 0 && names.every(isOid);
}

export function json(value: object): Contents {
  return { mimeType: 'application/json', text: JSON.stringify(value) };
}

/** A body that git wrote, as much of it as fits. */
interface Body extends Facts {
  readonly text: string;
  readonly truncated: boolean;
}

/** A body that git wrote, harmless to look at; whether it was cut or changed for that is in `_meta`. */
export function bodyContents({ text, truncated, ...facts }: Body, mimeType: string): Contents {
  const shown = visibleBody(text);
  return { mimeType, _meta: { ...facts, truncated, escaped: shown !== text }, text: shown };
}

/** The first entries that are within both limits, as JSON. */
export function listContents<Entry extends object>(
  key: string,
  entries: readonly Entry[],
  { maxBytes, maxEntries }: { readonly maxBytes: number; readonly maxEntries: number },
): Contents {
  let bytes = 0;
  const end = entries.findIndex((entry, position) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return bytes > maxBytes || position === maxEntries;
  });
  const shown = end === -1 ? entries : entries.slice(0, end);
  return json({ [key]: shown, total: entries.length, truncated: shown.length < entries.length });
}
