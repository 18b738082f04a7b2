import { measureComplexity, type Candidate } from './candidate.ts';

/** A plan of a statement as if some candidates existed, and the candidates that the plan uses. */
export interface CostedPlan<Item> {
  readonly cost: number;
  readonly json: string;
  readonly used: readonly Item[];
}

/** Plans the statement as if these candidates existed. */
export type PlanWith<Item> = (visible: readonly Item[]) => Promise<CostedPlan<Item>>;

export interface CostedChoice<Item> {
  readonly before: CostedPlan<Item>;
  readonly after: CostedPlan<Item>;
  readonly chosen: readonly Item[];
}

/**
 * Maximum cost with the chosen indexes, as a share of the cost without these indexes. With less benefit, indexes are not worth
 * their writes.
 */
const MAX_COST = 0.8;
/** Maximum factor by which the cost may rise if an index is left out or replaced by a simpler one. */
export const SIMPLER = 1.15;
/** Partial and covering indexes are chosen only if the cost with them is at most this share of the cost with simple indexes. */
const VARIANT = 0.5;

/**
 * Chooses a small set of candidates with which the statement costs at most `SIMPLER` times as much as with all considered
 * candidates. Chooses no candidate if the candidates save too little.
 */
export async function chooseCosted<Item extends { readonly candidate: Candidate }>(
  items: readonly Item[],
  plan: PlanWith<Item>,
): Promise<CostedChoice<Item>> {
  const before = await plan([]);
  const simple = items.filter(({ candidate }) => candidate.where === undefined && candidate.include.length === 0);
  const withSimple = await plan(simple);
  const withAll = await plan(items);
  const best = withAll.cost <= withSimple.cost * VARIANT ? withAll : withSimple;
  if (best.cost > before.cost * MAX_COST) return { before, after: before, chosen: [] };
  const pool = best === withAll ? items : simple;
  const chosen = await simplify(best, pool, plan);
  const after = await plan(chosen);
  const used = chosen.filter((item) => after.used.includes(item));
  return { before, after, chosen: used };
}

async function simplify<Item extends { readonly candidate: Candidate }>(
  best: CostedPlan<Item>,
  pool: readonly Item[],
  plan: PlanWith<Item>,
): Promise<readonly Item[]> {
  const bound = best.cost * SIMPLER;
  let chosen = best.used;
  for (const item of best.used) {
    const others = chosen.filter((one) => one !== item);
    const without = await plan(others);
    if (without.cost <= bound) {
      chosen = others;
      continue;
    }
    for (const simpler of listSimpler(item, pool)) {
      const replaced = await plan([...others, simpler]);
      if (replaced.cost > bound || !replaced.used.includes(simpler)) continue;
      chosen = [...others, simpler];
      break;
    }
  }
  return chosen;
}

function listSimpler<Item extends { readonly candidate: Candidate }>(
  { candidate }: Item,
  pool: readonly Item[],
): readonly Item[] {
  const complexity = measureComplexity(candidate);
  return pool
    .filter((other) => other.candidate.table === candidate.table && measureComplexity(other.candidate) < complexity)
    .toSorted((one, other) => measureComplexity(one.candidate) - measureComplexity(other.candidate));
}
