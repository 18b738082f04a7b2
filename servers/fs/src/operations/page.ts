import { createHash } from 'node:crypto';

import { Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsByteLength } from 'class-validator';

import { PathInput } from './path-input.ts';

/** A question whose answer comes in pages. */
export class PagedInput extends PathInput {
  @IsByteLength(1, 20_000) @Text('nextCursor of the previous page', { optional: true }) cursor?: string;
}

/** Where a page begins. */
export interface Position {
  /** Entries before it, or lines of the file that are known. */
  readonly skip: number;
  /** The last path that is known. */
  readonly after?: string | undefined;
}

/** Seals where the next page begins; the client carries it. */
export function sealPosition(context: RequestContext, input: PagedInput, position: Position): Promise<string> {
  return context.seal([fingerprint(input), position.skip, ...(position.after === undefined ? [] : [position.after])]);
}

/**
 * Where a page begins; `undefined`: at the beginning.
 *
 * @throws ToolError INVALID_ARGUMENTS for a cursor that is none, or of another question
 */
export async function openPosition(context: RequestContext, input: PagedInput): Promise<Position | undefined> {
  if (input.cursor === undefined) return undefined;
  const sealed = await context.unseal(input.cursor);
  const [made, skip, after]: readonly unknown[] = Array.isArray(sealed) ? sealed : [];
  if (made !== fingerprint(input) || typeof skip !== 'number')
    throw new ToolError('INVALID_ARGUMENTS', 'the cursor belongs to other arguments', {
      hint: 'pass it with the arguments of the call that answered it; only how much of it is wanted may differ',
    });
  return { skip, after: typeof after === 'string' ? after : undefined };
}

const OF_THE_PAGE: ReadonlySet<string> = new Set(['cursor', 'limit', 'maxEntries']);

/** Equal for equal questions, whatever page of the answer they want and however long it may be. */
function fingerprint(input: PagedInput): string {
  const asked = Object.entries(input).filter(([name, value]) => value !== undefined && !OF_THE_PAGE.has(name));
  const sorted = asked.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 22);
}
