import type { WorkerScope } from '@org/mcp-roots';

import type { ClosestQuery, ClosestSummary } from '../edits/closest-region.ts';
import type { ReplacementQuery, ReplacementSummary, TextReplacements } from '../search/find-replacements.ts';
import type { FileBatch, FilesQuery } from '../search/list-files.ts';
import type { ContentQuery, ContentSummary, MatchedFile } from '../search/search-content.ts';
import type { FactsSummary } from '../walk/entry-facts.ts';
import type { TreeQuery, TreeSummary } from '../walk/draw-tree.ts';
import type { FoundName, NamesQuery } from '../walk/find-names.ts';
import type { ListQuery, ListSummary } from '../walk/list-entries.ts';
import type { ListedBatch } from '../walk/listed-batch.ts';
import type { WalkSummary } from '../walk/walk.ts';

/** The kinds of jobs: their queries, the items that they report while they run, and their summaries. */
export interface Jobs {
  readonly list: { readonly query: ListQuery; readonly item: ListedBatch; readonly summary: ListSummary };
  readonly facts: { readonly query: ListedBatch; readonly item: ListedBatch; readonly summary: FactsSummary };
  readonly tree: { readonly query: TreeQuery; readonly item: never; readonly summary: TreeSummary };
  readonly names: { readonly query: NamesQuery; readonly item: FoundName; readonly summary: WalkSummary };
  readonly files: { readonly query: FilesQuery; readonly item: FileBatch; readonly summary: WalkSummary };
  readonly content: { readonly query: ContentQuery; readonly item: MatchedFile; readonly summary: ContentSummary };
  readonly closest: { readonly query: ClosestQuery; readonly item: never; readonly summary: ClosestSummary };
  readonly replacements: {
    readonly query: ReplacementQuery;
    readonly item: TextReplacements;
    readonly summary: ReplacementSummary;
  };
}

export type JobKind = keyof Jobs;

/** The message that starts a job in a worker. */
export interface JobMessage<Kind extends JobKind = JobKind> {
  readonly kind: Kind;
  readonly query: Jobs[Kind]['query'];
  readonly workerScope: WorkerScope;
  /** Shared memory; a value other than 0 stops the job. */
  readonly stop: Int32Array;
  readonly budgetMs: number;
}

/** A message from a worker. */
export type WorkerMessage<Kind extends JobKind = JobKind> =
  | { readonly type: 'found'; readonly items: readonly Jobs[Kind]['item'][]; readonly scanned: number }
  | { readonly type: 'done'; readonly summary: Jobs[Kind]['summary'] }
  | { readonly type: 'failed'; readonly code: string | undefined; readonly message: string };
