import { Result, escapeInvisible, type Facts, type ResourceLink } from '@org/mcp-decorators';

import { visibleBody } from '../../text/visible.ts';

/** The text of a result that has no structured content, so that the text is sent only once. */
export interface ShownBody {
  readonly body: string;
  readonly facts: Facts;
  /** Last line of the text, for readers that do not see `_meta`. */
  readonly note?: string | undefined;
  /** Resource with the whole text, if the text was cut off. */
  readonly link?: ResourceLink | undefined;
  /** First line of the result, for a text that would otherwise look like JSON. */
  readonly title?: string;
}

/** Returns the text with terminal control characters escaped, and its metadata in `_meta`. */
export function formatBody({ body, facts, note, link, title }: ShownBody): Result {
  const text = visibleBody(body);
  return Result.text(text, { facts: { ...facts, escaped: text !== body }, note, title, ...(link && { links: [link] }) });
}

/** Returns a result whose last line contains the steps that undo the operation, if such steps exist. */
export function formatRecovery(outcome: { readonly recover_with?: string }, text: string): Result {
  const { recover_with: undo } = outcome;
  return Result.of(outcome, undo === undefined ? text : `${text}\nTo undo: ${escapeInvisible(undo)}`);
}

export function formatMore(cursor: string | undefined): string {
  return cursor === undefined ? '… more results exist: narrow the search' : `… continue with cursor ${escapeInvisible(cursor)}`;
}

/** Returns the line that reports how many items of a list are shown, and the cursor of the next page. */
export function formatRest(
  list: { readonly total: number; readonly next_cursor?: string },
  shown: number,
  items: string,
): string {
  const next = list.next_cursor === undefined ? '' : `; continue with cursor ${list.next_cursor}`;
  return `… ${shown} of ${list.total} ${items} are shown${next}`;
}
