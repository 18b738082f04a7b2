import type { Course } from '../../walk/course.ts';
import type { ClosestQuery, ClosestSummary } from '../../walk/job.ts';

/** What is most like a text that was not found. */
export interface ClosestRegion {
  readonly startLine: number;
  readonly endLine: number;
  /** Why it is not that text, as a sentence about it. */
  readonly reason: string;
}

/** Lines that are compared letter by letter, and how much of each. */
const MOST_LINES = 20_000;
const MOST_OF_LINE = 200;
/** For how many places a line votes that is there often. */
const MOST_VOTES = 20;
/** Below this share of common pairs of letters two lines are not alike. */
const ALIKE = 0.5;
const SHOWN = 120;

/** Finds the lines of a text that are most similar to `oldText`. The result is empty if no line is similar or the time is over. */
export function findClosest({ text, oldText }: ClosestQuery, course: Course<never>): ClosestSummary {
  const region = closestRegion(text.split('\n'), oldText, course);
  return region === undefined || course.lookUp() ? {} : { region };
}

type Pace = Pick<Course<never>, 'isOver'>;

function closestRegion(lines: readonly string[], oldText: string, pace: Pace): ClosestRegion | undefined {
  const wanted = oldText.replace(/\n$/, '').split('\n');
  const start = mostVoted(lines, wanted, pace) ?? mostSimilar(lines, wanted, pace);
  if (start === undefined) return undefined;
  const first = Math.max(0, start);
  const region = lines.slice(first, Math.max(first + 1, start + wanted.length));
  return { startLine: first + 1, endLine: first + region.length, reason: reasonOf(region, wanted.slice(first - start), first) };
}

/** Where most lines are the same, apart from the white space around them. */
function mostVoted(lines: readonly string[], wanted: readonly string[], pace: Pace): number | undefined {
  const votes = votesFor(lines, wanted, pace);
  let best: number | undefined;
  for (const [at, count] of votes.entries()) if (count > (best === undefined ? 0 : (votes[best] ?? 0))) best = at;
  return best === undefined ? undefined : best - wanted.length;
}

/** Counts equal lines for each start of `wanted`. Index `wanted.length` is the first line, because `wanted` may start earlier. */
function votesFor(lines: readonly string[], wanted: readonly string[], pace: Pace): Uint32Array {
  const places = placesOf(wanted);
  const votes = new Uint32Array(lines.length + wanted.length);
  for (const [index, line] of lines.entries()) {
    if (pace.isOver) break;
    for (const place of places.get(line.trim()) ?? [])
      votes[index - place + wanted.length] = (votes[index - place + wanted.length] ?? 0) + 1;
  }
  return votes;
}

/** The places of each line that has something in it. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = places.get(line.trim()) ?? [];
    if (known.length === 0 && line.trim() !== '') places.set(line.trim(), known);
    if (known.length < MOST_VOTES) known.push(index);
  }
  return places;
}

/** Where a line is most like the longest one of the text. */
function mostSimilar(lines: readonly string[], wanted: readonly string[], pace: Pace): number | undefined {
  const longest = wanted.reduce(
    (best, line, index) => (line.trim().length > (wanted[best]?.trim().length ?? 0) ? index : best),
    0,
  );
  const likenessTo = likenessOf(wanted[longest] ?? '');
  let best: number | undefined;
  let likeness = ALIKE;
  for (const [index, line] of lines.slice(0, MOST_LINES).entries()) {
    if (pace.isOver) return undefined;
    const share = likenessTo(line);
    if (share > likeness) [best, likeness] = [index, share];
  }
  return best === undefined ? undefined : best - longest;
}

/**
 * Returns a function that computes the Dice coefficient of character pairs (bigrams) of a line and `wanted`. Pairs are 16-bit
 * numbers in one table, because sets of strings take 30 times as long. Characters beyond Latin-1 count by their low 8 bits.
 *
 * @returns a function with a result from 0 to 1
 */
function likenessOf(wanted: string): (line: string) => number {
  /** Number of the last line that contains each pair. */
  const seen = new Uint32Array(PAIRS);
  const isWanted = new Uint8Array(PAIRS);
  let own = 0;
  for (const pair of pairsOf(wanted)) {
    if (isWanted[pair] === 0) own += 1;
    isWanted[pair] = 1;
  }
  let current = 0;
  return (line) => {
    current += 1;
    let all = 0;
    let common = 0;
    for (const pair of pairsOf(line)) {
      if (seen[pair] === current) continue;
      seen[pair] = current;
      all += 1;
      common += isWanted[pair] ?? 0;
    }
    return own + all === 0 ? 0 : (2 * common) / (own + all);
  };
}

const PAIRS = 65_536;

function pairsOf(line: string): Uint16Array {
  const text = line.trim().toLowerCase().slice(0, MOST_OF_LINE);
  const pairs = new Uint16Array(Math.max(0, text.length - 1));
  for (let index = 0; index < pairs.length; index += 1)
    pairs[index] = ((text.charCodeAt(index) & 0xff) << 8) | (text.charCodeAt(index + 1) & 0xff);
  return pairs;
}

function reasonOf(region: readonly string[], wanted: readonly string[], first: number): string {
  const differs = wanted.findIndex((line, index) => line.trim() !== region[index]?.trim());
  if (differs === -1) return 'only the white space around its lines differs';
  const line = region[differs];
  if (line === undefined) return `the file ends before ${quoted(wanted[differs] ?? '')}`;
  const way = WAYS.find(([same]) => same(line) === same(wanted[differs] ?? ''))?.[1];
  const both = `line ${first + differs + 1} is ${quoted(line)} and not ${quoted(wanted[differs] ?? '')}`;
  return way === undefined ? both : `${both}: ${way}`;
}

/** Ways to overlook a difference, and what that is then. */
const WAYS: readonly (readonly [same: (line: string) => string, difference: string])[] = [
  [(line) => line.replaceAll(/\s+/g, ''), 'only the white space in it differs'],
  [(line) => line.trim().toLowerCase(), 'only upper and lower case differ'],
  [(line) => plain(line.trim()), 'only the form of quotes, dashes or spaces differs'],
  [(line) => line.trim().normalize('NFC'), 'only the Unicode normal form differs'],
];

function plain(line: string): string {
  return line
    .replaceAll(/[\u2018\u2019\u201A\u2032]/g, "'")
    .replaceAll(/[\u201C\u201D\u201E\u2033]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/\s/g, ' ');
}

function quoted(line: string): string {
  return JSON.stringify(line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line);
}
