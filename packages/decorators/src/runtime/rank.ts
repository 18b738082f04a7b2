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
 * does, those that contain it, those that have its letters in their order. The order among equals is kept.
 */
export function rank(candidates: readonly string[], typed: string): Ranking {
  const wanted = typed.toLowerCase();
  const tiers: string[][] = TIERS.map(() => []);
  for (const candidate of new Set(candidates)) {
    const text = candidate.toLowerCase();
    tiers[TIERS.findIndex((matches) => matches(text, wanted))]?.push(candidate);
  }
  const matching = tiers.flat();
  return { values: matching.slice(0, MAX_VALUES), total: matching.length, hasMore: matching.length > MAX_VALUES };
}

/** Best first. */
const TIERS: readonly ((candidate: string, wanted: string) => boolean)[] = [
  (candidate, wanted) => candidate.startsWith(wanted),
  (candidate, wanted) => candidate.includes(wanted) && beginsWord(candidate, wanted),
  (candidate, wanted) => candidate.includes(wanted),
  hasLetters,
];

function beginsWord(candidate: string, wanted: string): boolean {
  return candidate.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted)) || candidate.includes(`/${wanted}`);
}

function hasLetters(candidate: string, wanted: string): boolean {
  let position = 0;
  for (const letter of wanted) {
    const found = candidate.indexOf(letter, position);
    if (found < 0) return false;
    position = found + letter.length;
  }
  return true;
}
