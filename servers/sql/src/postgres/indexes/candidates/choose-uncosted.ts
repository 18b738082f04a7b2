import type { Candidate } from './candidate.ts';
import { estimateRows } from './estimate-size.ts';

/** A step of a plan, as far as the choice of indexes needs it. */
export interface PlannedStep {
  readonly step: string;
  readonly relation: string | undefined;
  readonly rows: number;
  readonly children: readonly PlannedStep[];
}

/** Maximum share of the rows that an index should find. If a statement reads more rows, a sequential scan is as fast. */
const LARGE_PART = 0.2;

/**
 * Chooses the candidates that probably help, from the plan without the candidates. The choice is a guess for statements whose
 * costs with an index are unknown.
 */
export function chooseUncosted(
  candidates: readonly Candidate[],
  root: PlannedStep,
  partitions: ReadonlyMap<string, string>,
): readonly Candidate[] {
  const scans = findScans(root, []);
  const chosen = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { name, sql } = candidate.table;
    const own = scans.filter(({ relation }) => (partitions.get(relation) ?? relation) === name);
    const rows = estimateRows(candidate.table);
    const isUseful = own.length > 0 && (IS_USEFUL[candidate.purpose]?.(own, rows) ?? false);
    // One index per table is enough. Only joins and the alternatives of an OR get an index for each first key.
    const hasOwnSlot = candidate.purpose === 'join' || candidate.purpose === 'alternative';
    const slot = `${sql} ${hasOwnSlot ? candidate.keys[0]?.sql : ''}`;
    if (isUseful && !chosen.has(slot)) chosen.set(slot, candidate);
  }
  return [...chosen.values()];
}

interface Scan {
  readonly relation: string;
  readonly rows: number;
  /** Smallest number of rows of a join above the scan; Infinity without a join. */
  readonly joined: number;
  readonly above: readonly PlannedStep[];
}

const IS_USEFUL: Readonly<Record<string, (scans: readonly Scan[], rows: number) => boolean>> = {
  filter: (scans, rows) => total(scans) <= LARGE_PART * rows,
  alternative: (scans, rows) => total(scans) <= LARGE_PART * rows,
  join: (scans, rows) => scans.some(({ joined }) => joined <= LARGE_PART * rows),
  limit: (scans) =>
    scans.some(({ above }) => above.some(({ step }) => step === 'Limit') && above.some(({ step }) => step.endsWith('Sort'))),
  extreme: (scans) => scans.some(({ above }) => above.some(({ step }) => step.endsWith('Aggregate'))),
};

function total(scans: readonly Scan[]): number {
  return scans.reduce((sum, { rows }) => sum + rows, 0);
}

function findScans(node: PlannedStep, above: readonly PlannedStep[]): readonly Scan[] {
  const { step, relation, rows, children } = node;
  const below = children.flatMap((child) => findScans(child, [node, ...above]));
  if (!step.endsWith('Seq Scan') || relation === undefined) return below;
  const joins = above.filter((one) => /Join|Nested Loop/.test(one.step)).map((join) => join.rows);
  return [{ relation, rows, joined: Math.min(...joins, Infinity), above }, ...below];
}
