import { parentPort } from 'node:worker_threads';

import type { ThreadGround } from '@org/mcp-roots';

import { errorCode } from '../error-code.ts';
import { findReplacements } from '../replace/find-replacements.ts';
import { findClosest } from '../write/edits/closest-region.ts';
import { Course } from './course.ts';
import { drawTree } from './draw-tree.ts';
import { findNames } from './find-names.ts';
import type { JobKind, Jobs, Order, Report } from './job.ts';
import { listEntries } from './list-entries.ts';
import { searchContent } from './search-content.ts';

type Work<Kind extends JobKind> = (
  ground: ThreadGround,
  query: Jobs[Kind]['query'],
  course: Course<Jobs[Kind]['item']>,
) => Jobs[Kind]['summary'];

const WORK: { readonly [Kind in JobKind]: Work<Kind> } = {
  list: listEntries,
  tree: drawTree,
  names: findNames,
  content: searchContent,
  closest: (_, query, course) => findClosest(query, course),
  replacements: (_, query, course) => findReplacements(query, course),
};

parentPort?.on('message', (order: Order) => carryOut(order));

function carryOut<Kind extends JobKind>({ kind, query, ground, stop, budgetMs }: Order<Kind>): void {
  const tell = (report: Report<Kind>): void => parentPort?.postMessage(report);
  const course = new Course<Jobs[Kind]['item']>(stop, budgetMs, (items, scanned) => tell({ type: 'found', items, scanned }));
  try {
    const work: Work<Kind> = WORK[kind];
    const summary = work(ground, query, course);
    course.flush();
    tell({ type: 'done', summary });
  } catch (error) {
    tell({ type: 'failed', code: errorCode(error), message: String(error) });
  }
}
