import { createHash } from 'node:crypto';

import { ToolError, type RequestContext } from '@org/mcp-decorators';

/** The start of a page. */
export interface Position {
  /**
   * Number of entries on earlier pages; always 0 in a directory tree, which continues after `after`. In a content search, number
   * of matching lines of the file `after` on earlier pages, or `ALL_LINES` if that file is finished.
   */
  readonly skip: number;
  /** The last path on the previous page; `undefined` if only the number of entries determines the page. */
  readonly after?: string | undefined;
}

/** An input with a cursor. */
interface PagedInput {
  readonly cursor?: string;
}

/** Seals the start of the next page into a cursor, which the client passes back. */
export function sealPosition(context: RequestContext, input: PagedInput, position: Position): Promise<string> {
  return context.seal([fingerprint(input), position.skip, ...(position.after === undefined ? [] : [position.after])]);
}

/**
 * Returns the start of the page, or `undefined` for the first page.
 *
 * @throws ToolError INVALID_ARGUMENTS for an invalid cursor and for a cursor of a call with other arguments
 */
export async function openPosition(context: RequestContext, input: PagedInput): Promise<Position | undefined> {
  if (input.cursor === undefined) return undefined;
  const sealed = await context.unseal(input.cursor);
  const [made, skip, after]: readonly unknown[] = Array.isArray(sealed) ? sealed : [];
  if (made !== fingerprint(input) || typeof skip !== 'number')
    throw new ToolError('INVALID_ARGUMENTS', 'the cursor belongs to other arguments', {
      hint: 'pass the cursor with the arguments of the call that returned it; only limit and maxEntries may differ',
    });
  return { skip, after: typeof after === 'string' ? after : undefined };
}

const PAGE_ARGUMENTS: ReadonlySet<string> = new Set(['cursor', 'limit', 'maxEntries']);

/** Returns a fingerprint of the arguments. It is equal for calls that differ only in the page and its length. */
function fingerprint(input: PagedInput): string {
  const given = Object.entries(input).filter(([name, value]) => value !== undefined && !PAGE_ARGUMENTS.has(name));
  const sorted = given.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 22);
}
