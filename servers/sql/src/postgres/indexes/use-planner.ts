import type { Candidate } from './candidates/candidate.ts';
import { ModelDatabase } from './model/model-database.ts';
import type { ModelSchema } from './model/read-schema.ts';
import type { Database } from '../database/database.ts';
import type { DatabaseFacts } from './read-advice-facts.ts';
import { canUseHypopg, useHypopg } from './planning/hypopg-planner.ts';
import type { Planner } from './planning/planner.ts';

interface PlannerOptions {
  readonly database: Database;
  readonly facts: DatabaseFacts;
  readonly schema: ModelSchema;
  readonly candidates: readonly Candidate[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

type Work<Outcome> = (planner: Planner, signal: AbortSignal) => Promise<Outcome>;

/**
 * Runs work with a planner: with the extension hypopg of the database if it supports all candidates. Otherwise, or if the work
 * fails with hypopg, runs the work with a model of the database. The signal of the work is also aborted when the time is over.
 *
 * @throws an error if the model cannot be created
 */
export async function usePlanner<Outcome>(options: PlannerOptions, work: Work<Outcome>): Promise<Outcome> {
  const { database, facts, schema, candidates, timeoutMs, signal } = options;
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  if (await canUseHypopg(database, facts.hypopg, candidates)) {
    try {
      return await useHypopg(database, facts.hypopg ?? '', { timeoutMs, signal: bounded }, (planner) => work(planner, bounded));
    } catch {
      // The work runs again with the model, which can plan statements that hypopg cannot plan.
      bounded.throwIfAborted();
    }
  }
  await using model = await ModelDatabase.create(schema, timeoutMs, bounded);
  return await work(model, bounded);
}
