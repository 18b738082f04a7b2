import { chooseCosted, SIMPLER, type CostedPlan } from '../candidates/choose-costed.ts';
import type { Candidate } from '../candidates/candidate.ts';
import { nameIndexes, toError, type CandidateIndex, type PlannableStatement, type Planner } from './planner.ts';

/** A statement, and the oids of the tables it reads. */
export interface CostedStatement {
  readonly statement: PlannableStatement;
  readonly tables: ReadonlySet<string>;
}

/** The plans of a statement without and with the chosen indexes, and the candidates that the plan with the indexes uses. */
export interface StatementPlans {
  readonly before: string;
  readonly after: string;
  readonly used: readonly Candidate[];
}

export interface CostedCandidates {
  /** Indexes that at least one of the statements uses. */
  readonly chosen: readonly Candidate[];
  /** One element per statement: its plans, or the reason why it cannot be planned. */
  readonly plans: readonly (StatementPlans | Error)[];
}

/** Chooses the candidates that the planner would use for statements. */
export async function costCandidates(
  planner: Planner,
  candidates: readonly Candidate[],
  statements: readonly CostedStatement[],
  signal: AbortSignal,
): Promise<CostedCandidates> {
  const added = await planner.addCandidates(candidates, signal);
  const costings = statements.map(({ statement, tables }) => ({
    items: added.filter(({ candidate }) => tables.has(candidate.table.oid)),
    plan: async (visible: readonly CandidateIndex[]) => readPlan(await planner.explain(statement, visible, signal), added),
  }));
  const choices: (Choice | Error)[] = [];
  for (const { items, plan } of costings) choices.push(await chooseFor(items, plan, signal));
  const found = choices.flatMap((choice) => (choice instanceof Error ? [] : [choice]));
  const chosen = await dropRedundant(found);
  const plans: (StatementPlans | Error)[] = [];
  for (const choice of choices) plans.push(choice instanceof Error ? choice : await describe(choice, chosen));
  const used = new Set(plans.flatMap((one) => (one instanceof Error ? [] : one.used)));
  return { chosen: chosen.map(({ candidate }) => candidate).filter((candidate) => used.has(candidate)), plans };
}

type PlanFor = (visible: readonly CandidateIndex[]) => Promise<CostedPlan<CandidateIndex>>;

/** The indexes that are chosen for one statement alone. */
interface Choice {
  readonly plan: PlanFor;
  readonly before: CostedPlan<CandidateIndex>;
  readonly chosen: readonly CandidateIndex[];
  /** Maximum cost that the statement may have with the indexes that are chosen for all statements. */
  readonly bound: number;
}

async function chooseFor(items: readonly CandidateIndex[], plan: PlanFor, signal: AbortSignal): Promise<Choice | Error> {
  try {
    const { before, after, chosen } = await chooseCosted(items, plan);
    return { plan, before, chosen, bound: after.cost * SIMPLER };
  } catch (error) {
    signal.throwIfAborted();
    return toError(error);
  }
}

/** Drops an index if the statements for which the index was chosen cost at most their `bound` with the remaining indexes. */
async function dropRedundant(choices: readonly Choice[]): Promise<readonly CandidateIndex[]> {
  let chosen = [...new Set(choices.flatMap((choice) => choice.chosen))];
  if (choices.length < 2) return chosen;
  // The last indexes serve the statements with the smallest times.
  for (const item of chosen.toReversed()) {
    const others = chosen.filter((one) => one !== item);
    if (await areServed(choices, item, others)) chosen = others;
  }
  return chosen;
}

async function areServed(choices: readonly Choice[], item: CandidateIndex, others: readonly CandidateIndex[]): Promise<boolean> {
  for (const { chosen, plan, bound } of choices) if (chosen.includes(item) && (await plan(others)).cost > bound) return false;
  return true;
}

async function describe({ plan, before }: Choice, chosen: readonly CandidateIndex[]): Promise<StatementPlans> {
  const after = await plan(chosen);
  const used = chosen.filter((item) => after.used.includes(item)).map(({ candidate }) => candidate);
  return { before: before.json, after: nameIndexes(after.json, chosen, 'proposal'), used };
}

function readPlan(json: string, added: readonly CandidateIndex[]): CostedPlan<CandidateIndex> {
  const names = new Set(Array.from(json.matchAll(/"Index Name": ?"((?:[^"\\]|\\.)*)"/g), ([, name = '']) => name));
  const cost = Number(/"Total Cost": ?([\d.]+)/.exec(json)?.[1] ?? Number.NaN);
  return { cost, json, used: added.filter((item) => [...item.names].some((name) => names.has(name))) };
}
