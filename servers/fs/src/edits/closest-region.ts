import type { JobControl } from '../walk/job-control.ts';

/** A search in `text` for the region most similar to `oldText`, which the text does not contain. All line endings are `\n`. */
export interface ClosestQuery {
  readonly text: string;
  readonly oldText: string;
}

/** The region most similar to `oldText`. Absent if no region is similar or the time limit was reached. */
export interface ClosestSummary {
  readonly region?: ClosestRegion;
}

/** The lines that are most similar to a missing text. */
export interface ClosestRegion {
  readonly startLine: number;
  readonly endLine: number;
  /** How the lines differ from the missing text, as a sentence. */
  readonly reason: string;
}

/** Maximum number of lines whose characters are compared. */
const MAX_LINES = 20_000;
/** Maximum number of compared characters of each line. */
const MAX_LINE_LENGTH = 200;
/** Maximum number of remembered positions of a line that occurs several times. */
const MAX_VOTES = 20;
/** Two lines are similar if their Dice coefficient (see {@link createComparison}) is greater than this number. */
const MIN_SIMILARITY = 0.5;
const SHOWN = 120;

/**
 * Finds the lines of a text that are most similar to `oldText`. The result has no region if no line is similar or the time limit
 * is reached.
 */
export function findClosest({ text, oldText }: ClosestQuery, control: JobControl<never>): ClosestSummary {
  const region = closestRegion(text.split('\n'), oldText, control);
  return region === undefined || control.checkNow() ? {} : { region };
}

type Deadline = Pick<JobControl<never>, 'isOver'>;

function closestRegion(lines: readonly string[], oldText: string, deadline: Deadline): ClosestRegion | undefined {
  const wanted = oldText.replace(/\n$/, '').split('\n');
  const start = findMostVoted(lines, wanted, deadline) ?? findMostSimilar(lines, wanted, deadline);
  if (start === undefined) return undefined;
  const first = Math.max(0, start);
  const region = lines.slice(first, Math.max(first + 1, start + wanted.length));
  return {
    startLine: first + 1,
    endLine: first + region.length,
    reason: explainDifference(region, wanted.slice(first - start), first),
  };
}

/**
 * Returns the start of the region with the most lines equal to those of `wanted`, ignoring white space at both ends of lines.
 * The start is negative if the region begins before the text. Returns `undefined` if no line is equal.
 */
function findMostVoted(lines: readonly string[], wanted: readonly string[], deadline: Deadline): number | undefined {
  const votes = countVotes(lines, wanted, deadline);
  let best: number | undefined;
  for (const [at, count] of votes.entries()) if (count > (best === undefined ? 0 : (votes[best] ?? 0))) best = at;
  return best === undefined ? undefined : best - wanted.length;
}

/**
 * Counts equal lines for each possible start of `wanted`. The index is the start plus `wanted.length`, because the start may be
 * negative.
 */
function countVotes(lines: readonly string[], wanted: readonly string[], deadline: Deadline): Uint32Array {
  const positions = findPositions(wanted);
  const votes = new Uint32Array(lines.length + wanted.length);
  for (const [index, line] of lines.entries()) {
    if (deadline.isOver) break;
    for (const place of positions.get(line.trim()) ?? [])
      votes[index - place + wanted.length] = (votes[index - place + wanted.length] ?? 0) + 1;
  }
  return votes;
}

/** Returns the first positions of each line that is not blank, at most {@link MAX_VOTES} per line. */
function findPositions(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = positions.get(line.trim()) ?? [];
    if (known.length === 0 && line.trim() !== '') positions.set(line.trim(), known);
    if (known.length < MAX_VOTES) known.push(index);
  }
  return positions;
}

/**
 * Returns the start of the region whose line is most similar to the longest line of `wanted`. Returns `undefined` if no line is
 * similar or the time is over.
 */
function findMostSimilar(lines: readonly string[], wanted: readonly string[], deadline: Deadline): number | undefined {
  const longest = wanted.reduce(
    (best, line, index) => (line.trim().length > (wanted[best]?.trim().length ?? 0) ? index : best),
    0,
  );
  const compare = createComparison(wanted[longest] ?? '');
  let best: number | undefined;
  let similarity = MIN_SIMILARITY;
  for (const [index, line] of lines.slice(0, MAX_LINES).entries()) {
    if (deadline.isOver) return undefined;
    const share = compare(line);
    if (share > similarity) [best, similarity] = [index, share];
  }
  return best === undefined ? undefined : best - longest;
}

/**
 * Returns a function that computes the Dice coefficient of character pairs (bigrams) of a line and `wanted`. Pairs are 16-bit
 * numbers in one table, because sets of strings take 30 times as long. Characters beyond Latin-1 count by their low 8 bits.
 *
 * @returns a function with a result from 0 to 1
 */
function createComparison(wanted: string): (line: string) => number {
  /** For each pair, the number of the last compared line that contains the pair. */
  const seen = new Uint32Array(PAIRS);
  const isWanted = new Uint8Array(PAIRS);
  let own = 0;
  for (const pair of listLetterPairs(wanted)) {
    if (isWanted[pair] === 0) own += 1;
    isWanted[pair] = 1;
  }
  let current = 0;
  return (line) => {
    current += 1;
    let all = 0;
    let common = 0;
    for (const pair of listLetterPairs(line)) {
      if (seen[pair] === current) continue;
      seen[pair] = current;
      all += 1;
      common += isWanted[pair] ?? 0;
    }
    return own + all === 0 ? 0 : (2 * common) / (own + all);
  };
}

const PAIRS = 65_536;

function listLetterPairs(line: string): Uint16Array {
  const text = line.trim().toLowerCase().slice(0, MAX_LINE_LENGTH);
  const pairs = new Uint16Array(Math.max(0, text.length - 1));
  for (let index = 0; index < pairs.length; index += 1)
    pairs[index] = ((text.charCodeAt(index) & 0xff) << 8) | (text.charCodeAt(index + 1) & 0xff);
  return pairs;
}

function explainDifference(region: readonly string[], wanted: readonly string[], first: number): string {
  const differs = wanted.findIndex((line, index) => line.trim() !== region[index]?.trim());
  if (differs === -1) return 'only the white space at the ends of its lines differs';
  const line = region[differs];
  if (line === undefined) return `the file ends before ${quote(wanted[differs] ?? '')}`;
  const difference = DIFFERENCES.find(([same]) => same(line) === same(wanted[differs] ?? ''))?.[1];
  const both = `line ${first + differs + 1} is ${quote(line)} and not ${quote(wanted[differs] ?? '')}`;
  return difference === undefined ? both : `${both}: ${difference}`;
}

/** Functions that each remove one kind of difference, with a description of this kind. */
const DIFFERENCES: readonly (readonly [same: (line: string) => string, difference: string])[] = [
  [(line) => line.replaceAll(/\s+/g, ''), 'only the white space differs'],
  [(line) => line.trim().toLowerCase(), 'only upper and lower case differ'],
  [(line) => simplify(line.trim()), 'only the form of quotes, dashes or spaces differs'],
  [(line) => line.trim().normalize('NFC'), 'only the Unicode normal form differs'],
];

function simplify(line: string): string {
  return line
    .replaceAll(/[\u2018\u2019\u201A\u2032]/g, "'")
    .replaceAll(/[\u201C\u201D\u201E\u2033]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/\s/g, ' ');
}

function quote(line: string): string {
  return JSON.stringify(line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line);
}
