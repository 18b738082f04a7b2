import { parentPort, workerData } from 'node:worker_threads';

import type { WorkerScope } from '@org/mcp-roots';

import { isDocumentJob, type DocumentJob } from '../documents/document.ts';
import { findClosest } from '../edits/closest-region.ts';
import { findReplacements } from '../search/find-replacements.ts';
import { listFiles } from '../search/list-files.ts';
import { searchContent } from '../search/search-content.ts';
import { errorCode } from '../storage/error-code.ts';
import { drawTree } from '../walk/draw-tree.ts';
import { addFacts } from '../walk/entry-facts.ts';
import { findNames } from '../walk/find-names.ts';
import { JobControl } from '../walk/job-control.ts';
import { listEntries } from '../walk/list-entries.ts';
import type { JobKind, JobMessage, Jobs, WorkerMessage } from './jobs.ts';

type JobFunction<Kind extends JobKind> = (
  workerScope: WorkerScope,
  query: Jobs[Kind]['query'],
  control: JobControl<Jobs[Kind]['item']>,
) => Jobs[Kind]['summary'];

const JOBS: { readonly [Kind in JobKind]: JobFunction<Kind> } = {
  list: listEntries,
  facts: addFacts,
  tree: drawTree,
  names: findNames,
  files: listFiles,
  content: searchContent,
  closest: (_, query, control) => findClosest(query, control),
  replacements: (_, query, control) => findReplacements(query, control),
};

if (isDocumentJob(workerData)) void handleDocument(workerData);
else parentPort?.on('message', (message: JobMessage) => handleMessage(message));

/** Reads the document for which this thread was started. Other threads do not load the libraries for documents. */
async function handleDocument(job: DocumentJob): Promise<void> {
  const { extractDocument } = await import('../documents/extract-document.ts');
  parentPort?.postMessage(await extractDocument(job));
}

function handleMessage<Kind extends JobKind>({ kind, query, workerScope, stop, budgetMs }: JobMessage<Kind>): void {
  const post = (report: WorkerMessage<Kind>): void => parentPort?.postMessage(report);
  const control = new JobControl<Jobs[Kind]['item']>(stop, budgetMs, (items, scanned) => post({ type: 'found', items, scanned }));
  try {
    const run: JobFunction<Kind> = JOBS[kind];
    const summary = run(workerScope, query, control);
    control.flush();
    post({ type: 'done', summary });
  } catch (error) {
    post({ type: 'failed', code: errorCode(error), message: String(error) });
  }
}
