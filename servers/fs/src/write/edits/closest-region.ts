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

/** The lines of a file that have the most in common with a text; `undefined` if none are like it. */
export function closestRegion(lines: readonly string[], oldText: string): ClosestRegion | undefined {
  const wanted = oldText.replace(/\n$/, '').split('\n');
  const start = mostVoted(lines, wanted) ?? mostSimilar(lines, wanted);
  if (start === undefined) return undefined;
  const first = Math.max(0, start);
  const region = lines.slice(first, Math.max(first + 1, start + wanted.length));
  return { startLine: first + 1, endLine: first + region.length, reason: reasonOf(region, wanted.slice(first - start), first) };
}

/** Where most lines are the same, apart from the white space around them. */
function mostVoted(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = placesOf(wanted);
  // The first line of the text may belong before that of the file.
  const votes = new Uint32Array(lines.length + wanted.length);
  let best: number | undefined;
  for (const [index, line] of lines.entries())
    for (const place of places.get(line.trim()) ?? [])
      votes[index - place + wanted.length] = (votes[index - place + wanted.length] ?? 0) + 1;
  for (const [at, count] of votes.entries()) if (count > (best === undefined ? 0 : (votes[best] ?? 0))) best = at;
  return best === undefined ? undefined : best - wanted.length;
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
function mostSimilar(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce(
    (best, line, index) => (line.trim().length > (wanted[best]?.trim().length ?? 0) ? index : best),
    0,
  );
  const pairs = pairsOf(wanted[longest] ?? '');
  let best: number | undefined;
  let likeness = ALIKE;
  for (const [index, line] of lines.slice(0, MOST_LINES).entries()) {
    const share = shareOf(pairs, pairsOf(line));
    if (share > likeness) [best, likeness] = [index, share];
  }
  return best === undefined ? undefined : best - longest;
}

function pairsOf(line: string): ReadonlySet<string> {
  const text = line.trim().toLowerCase().slice(0, MOST_OF_LINE);
  const pairs = new Set<string>();
  for (let index = 0; index + 1 < text.length; index += 1) pairs.add(text.slice(index, index + 2));
  return pairs;
}

function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of one) if (other.has(pair)) common += 1;
  return one.size + other.size === 0 ? 0 : (2 * common) / (one.size + other.size);
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
