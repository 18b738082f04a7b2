import { ToolError } from '@org/mcp-decorators';
import { spelled } from '@org/mcp-roots';

import type { Replacement } from '../walk/job.ts';
import type { ReplaceableText } from './replaceable-text.ts';

const MOST_NAMED = 20;

/** Tells one occurrence from all others, and from what is there once the file has changed: its etag, and where in the text it is. */
export function occurrenceId({ etag, even }: Pick<ReplaceableText, 'etag' | 'even'>, { start, end }: Replacement): string {
  const from = even.sourceOf(start);
  return `${etag}.${from}.${even.sourceOf(end) - from}`;
}

/**
 * Of all that was found, what is asked for; texts without any of it are left out.
 *
 * @throws ToolError CONFLICT where something that is asked for is not there
 */
export function chosenOf(texts: readonly ReplaceableText[], ids: readonly string[] | undefined): readonly ReplaceableText[] {
  const asked = ids && new Set(ids);
  const missing = new Set(asked);
  const isChosen = (text: ReplaceableText, replacement: Replacement): boolean => {
    const id = occurrenceId(text, replacement);
    missing.delete(id);
    return asked?.has(id) ?? true;
  };
  const chosen = texts.map((text) => ({ ...text, found: text.found.filter((each) => isChosen(text, each)) }));
  if (missing.size === 0) return chosen.filter(({ found }) => found.length > 0);
  throw new ToolError('CONFLICT', `${missing.size} of ${asked?.size} occurrences are not there any more; nothing was changed`, {
    hint: 'the files were changed since, or other arguments were given: ask for them again with dryRun',
    data: { stale: [...missing].slice(0, MOST_NAMED) },
  });
}

/** @throws ToolError NO_MATCH, AMBIGUOUS_MATCH */
export function requireCount(texts: readonly ReplaceableText[], expected: number | undefined): void {
  const count = texts.reduce((sum, { found }) => sum + found.length, 0);
  if (expected === undefined || count === expected) return;
  const where = texts.slice(0, MOST_NAMED).map(({ target, found }) => `${spelled(target.shown)} (${found.length})`);
  const named = texts.length > MOST_NAMED ? [...where, 'and more'] : where;
  throw new ToolError(
    count === 0 ? 'NO_MATCH' : 'AMBIGUOUS_MATCH',
    `the text is there ${count} times, not ${expected} times${count === 0 ? '' : `: ${named.join(', ')}`}; nothing was changed`,
    {
      hint: 'narrow it by path, include or word, or ask for the occurrences with dryRun and choose among them',
      data: { count, expected },
    },
  );
}
