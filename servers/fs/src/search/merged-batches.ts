import type { LeftOut, WalkSummary } from '../walk/walk.ts';
import type { ContentQuery, ContentSummary, MatchedFile, Resume } from './search-content.ts';

/** A searched batch of files. */
export interface SearchedBatch {
  readonly items: readonly MatchedFile[];
  readonly summary: ContentSummary;
  /** Counts of what the walk left out from its start to the end of this batch. */
  readonly leftOut: LeftOut;
}

/** The matches and the summary of a search in all batches. */
export interface SearchOutcome {
  readonly items: readonly MatchedFile[];
  readonly summary: SearchSummary;
}

export interface SearchSummary extends Omit<ContentSummary, 'end'>, LeftOut {
  readonly end: WalkSummary['end'];
}

type PageQuery = Pick<ContentQuery, 'mode' | 'limit' | 'resume'>;

/**
 * Merges searched batches in the order of the walk, up to the first batch whose search was ended by a limit or the time. Keeps a
 * batch back until all batches before it were added.
 */
export class MergedBatches {
  readonly #query: PageQuery;
  readonly #merged: SearchedBatch[] = [];
  readonly #later = new Map<number, SearchedBatch>();
  #matches = 0;

  constructor(query: PageQuery) {
    this.#query = query;
  }

  /** Adds a searched batch. @param index number of batches before this one in the walk */
  add(index: number, batch: SearchedBatch): void {
    this.#later.set(index, batch);
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) {
      this.#merged.push(next);
      this.#matches += countMatches(next.items, this.#query);
    }
  }

  /** Returns whether no later batch can change the result. */
  get isFinal(): boolean {
    const last = this.#merged.at(-1);
    return this.#matches > this.#query.limit || (last !== undefined && last.summary.end !== 'complete');
  }

  /** @param walked the summary of a walk whose batches were all added; otherwise `undefined` */
  toOutcome(walked: WalkSummary | undefined): SearchOutcome {
    const count = (key: 'files' | 'binary' | 'tooLarge' | 'unreadable'): number =>
      this.#merged.reduce((total, { summary }) => total + summary[key], 0);
    const { items, resume } = applyLimit(
      this.#merged.flatMap((batch) => batch.items),
      this.#query,
    );
    const end = resume === undefined ? this.#findEnd(walked) : 'limit';
    const leftOut = this.#findLeftOut(walked);
    return {
      items,
      summary: {
        end,
        files: count('files'),
        binary: count('binary'),
        tooLarge: count('tooLarge'),
        unreadable: count('unreadable') + leftOut.unreadable,
        ignored: leftOut.ignored,
        resume: resume ?? (end === 'limit' || end === 'time' ? this.#searchedTo : undefined),
      },
    };
  }

  #takeNext(): SearchedBatch | undefined {
    if (this.isFinal) return undefined;
    const next = this.#later.get(this.#merged.length);
    this.#later.delete(this.#merged.length);
    return next;
  }

  /**
   * Returns the position up to which files were searched, where the next page starts. If no file was searched, returns the start
   * of this page.
   */
  get #searchedTo(): Resume | undefined {
    return this.#merged.findLast(({ summary }) => summary.resume !== undefined)?.summary.resume ?? this.#query.resume;
  }

  #findLeftOut(walked: WalkSummary | undefined): LeftOut {
    const whole = this.isFinal ? undefined : walked;
    return whole ?? this.#merged.at(-1)?.leftOut ?? { unreadable: 0, ignored: 0 };
  }

  #findEnd(walked: WalkSummary | undefined): WalkSummary['end'] {
    const last = this.#merged.at(-1)?.summary.end ?? 'complete';
    return last === 'complete' ? (walked?.end ?? 'time') : last;
  }
}

function countMatches(items: readonly MatchedFile[], { mode }: PageQuery): number {
  return mode === 'content' ? items.reduce((total, { lines }) => total + lines.length, 0) : items.length;
}

/** Returns the matches up to the limit, and the start of the next page if matches are left. */
function applyLimit(
  files: readonly MatchedFile[],
  { mode, limit, resume: begin }: PageQuery,
): { readonly items: readonly MatchedFile[]; readonly resume: Resume | undefined } {
  const items: MatchedFile[] = [];
  let left = limit;
  for (const file of files) {
    const size = mode === 'content' ? file.lines.length : 1;
    if (size > left) {
      if (left > 0) items.push({ ...file, lines: file.lines.slice(0, left) });
      const known = begin?.path === file.relative ? begin.skip : 0;
      return { items, resume: { path: file.relative, skip: known + left } };
    }
    left -= size;
    items.push(file);
  }
  return { items, resume: undefined };
}
