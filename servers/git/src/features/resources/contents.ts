import { ToolError, type CacheHint, type Facts } from '@org/mcp-decorators';

import { isOid } from '../../repository/refs/revision.ts';
import { visibleBody } from '../../text/visible.ts';

/** The contents of a resource. They are returned with the requested URI. */
export interface Contents {
  readonly mimeType: string;
  readonly _meta?: Facts;
  readonly text?: string;
  /** Base64. */
  readonly blob?: string;
}

/** The result of reading a resource, and how long clients may cache it. */
export interface Answer extends CacheHint {
  readonly contents: readonly Contents[];
}

/** Objects with a full object name never change, so clients may cache their contents for one year. */
const KEEP_FOR_A_YEAR: CacheHint = { ttlMs: 31_536_000_000 };

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
 * Reads a resource. Clients may cache the contents for a year if the URI names revisions, and all of them are full object names.
 *
 * @throws ToolError NOT_FOUND if the repository, revision or path does not exist or is not accessible, and the other errors of
 * `read`
 */
export async function readAnswer(read: () => Promise<Contents>, names: readonly string[] = []): Promise<Answer> {
  try {
    const contents = [await read()];
    return areFullObjectNames(names) ? { contents, ...KEEP_FOR_A_YEAR } : { contents };
  } catch (error) {
    if (ToolError.is(error) && isAbsence(error)) throw new ToolError('NOT_FOUND', error.message, { cause: error });
    throw error;
  }
}

/** Whether an error means that the requested repository, revision or path does not exist or is not accessible. */
export function isAbsence({ code }: ToolError): boolean {
  return ABSENCES.has(code);
}

/** Whether at least one revision is given and all are full object names, whose objects never change. */
export function areFullObjectNames(names: readonly string[]): boolean {
  return names.length > 0 && names.every(isOid);
}

export function jsonContents(value: object): Contents {
  return { mimeType: 'application/json', text: JSON.stringify(value) };
}

/** Output of git; `truncated` reports whether the output was cut off. */
interface Body extends Facts {
  readonly text: string;
  readonly truncated: boolean;
}

/** Returns output of git with control characters escaped. `_meta` reports whether the output was cut off or changed by escaping. */
export function bodyContents({ text, truncated, ...facts }: Body, mimeType: string): Contents {
  const shown = visibleBody(text);
  return { mimeType, _meta: { ...facts, truncated, escaped: shown !== text }, text: shown };
}

/** Returns the first entries as JSON, at most `maxEntries` entries and `maxBytes` bytes. */
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
  return jsonContents({ [key]: shown, total: entries.length, truncated: shown.length < entries.length });
}
