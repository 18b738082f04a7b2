import type { TextDiff } from '../../edits/text-diff.ts';
import { visibleName } from '../../text/format.ts';
import { sum } from '../notes.ts';

export const DRY_RUN = 'Nothing was changed: dry run';

/**
 * Formats a difference as a code block, whose fence is longer than any run of backticks in the difference. Returns a sentence if
 * there is no difference.
 *
 * @param oldPath path of the old text, if it differs from the path of the new text
 */
export function formatDiff(path: string, diff: TextDiff, oldPath: string = path): string {
  const [name, oldName] = [visibleName(path), visibleName(oldPath)];
  if (diff.hunks === 0) return `No difference ${name === oldName ? `in ${name}` : `between ${oldName} and ${name}`}`;
  const fence = '`'.repeat(Math.max(3, ...(diff.text.match(/`+/g) ?? []).map((run) => run.length + 1)));
  return `${fence}diff\n--- ${oldName}\n+++ ${name}\n${diff.text}\n${fence}`;
}

/**
 * Returns the sentence about the changed places, without its full stop.
 *
 * @param scope such as `in the first 2 of 3 files`; empty if no file is left out
 */
export function placesNote(diffs: readonly TextDiff[], scope = ''): string {
  const shown = sum(diffs.map(({ shownPlaces }) => shownPlaces));
  const places = sum(diffs.map((diff) => diff.places));
  if (shown === places && scope === '') return 'Long lines are shortened around their first change';
  return `${shown} of ${places} changed places${scope && ` ${scope}`} are shown`;
}
