/** The protocol's limit on one answer. */
const MAX_VALUES = 100;

/** The candidates that match, best first. */
export interface Ranking {
  readonly values: string[];
  /** How many match in all. */
  readonly total: number;
  readonly hasMore: boolean;
}

/**
 * Ranks candidates by how they match what was typed, without regard to case: those that begin with it, those with a word that
 * does, those that contain it. The order among equals is kept.
 */
export function rank(candidates: readonly string[], typed: string): Ranking {
  const wanted = typed.toLowerCase();
  const tiers: [string[], string[], string[]] = [[], [], []];
  for (const candidate of new Set(candidates)) {
    const position = candidate.toLowerCase().indexOf(wanted);
    if (position === 0) tiers[0].push(candidate);
    else if (position > 0) tiers[beginsWord(candidate.toLowerCase(), wanted) ? 1 : 2].push(candidate);
  }
  const matching = tiers.flat();
  return { values: matching.slice(0, MAX_VALUES), total: matching.length, hasMore: matching.length > MAX_VALUES };
}

function beginsWord(candidate: string, wanted: string): boolean {
  return candidate.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted)) || candidate.includes(`/${wanted}`);
}
