/** Minimum length of the repeated part of a hostile text, in characters. */
const LENGTH = Number(process.env['MCP_TEST_STALL_LENGTH'] ?? 100_000);

/** Number of texts per parameter. If this number is at least the number of units, all texts are tried, which takes minutes. */
const EACH = Number(process.env['MCP_TEST_STALLS'] ?? 5);

/** Number of units, from the start of the list, that are tried in every place. */
const EVERYWHERE = 3;

/** Units that hostile texts repeat: characters, and pairs with a meaning in names, patterns, URLs, SQL and revisions. */
const UNITS: readonly string[] = [
  '"a"',
  ' ',
  '\n',
  "'",
  '"',
  '\\',
  '1',
  '[',
  '(',
  '{',
  '.',
  '/',
  '*',
  ';',
  '../',
  '[a',
  '{a,',
  '{}',
  '*a',
  'a*',
  '**/',
  '\\n',
  "''",
  '""',
  '$<',
  '$1',
  '://',
  '@{',
  '--',
  '/*',
  '$$',
  '?a&',
  ' a',
  'a ',
  '<a',
  '-1',
  '%41',
  ': a\n',
  'a+',
  'a-',
  '(select ',
  'from "',
  'index ',
  '::',
  ',',
  '\t',
  '\r\n',
  '\0',
  '~',
  '^',
  '|',
  '!',
  '#',
  '`',
  'é',
  '\u00A0',
  '😀',
];

/** Beginning of most hostile texts. */
const BEGIN = 'a';

/**
 * All texts, or an empty list if only some texts are tried. All parameters share these texts, because copies for each of the
 * hundreds of parameters would exceed the memory of the process.
 */
const ALL: readonly string[] =
  EACH >= UNITS.length ? UNITS.flatMap((unit) => [repeated(unit), `${BEGIN}${repeated(unit)}x`]) : [];

let next = EVERYWHERE - 1;

/** Returns texts for one parameter. Some texts are tried for every parameter, and the others in turn. */
export function hostileTexts(): readonly string[] {
  if (ALL.length > 0) return ALL;
  const others = Array.from({ length: Math.max(0, EACH - EVERYWHERE) }, nextUnit);
  return [...UNITS.slice(0, EVERYWHERE), ...others].map((unit) => `${BEGIN}${repeated(unit)}x`);
}

/**
 * Returns a hostile text after an ordinary one, such as `select 1`, so that more parts of a program process the hostile text.
 * Returns a text without the usual beginning unchanged.
 */
export function behind(usual: string, text: string): string {
  return text.startsWith(BEGIN) ? usual + text.slice(BEGIN.length) : text;
}

/** Returns each unit and its repetition, for data that a server reads. */
export function hostileData(length: number = LENGTH): readonly (readonly [unit: string, text: string])[] {
  return UNITS.map((unit) => [unit, repeated(unit, length)]);
}

export function nameOf(text: string): string {
  return `${JSON.stringify(text.slice(0, 12))}… of ${text.length} characters`;
}

function nextUnit(): string {
  next = next + 1 < UNITS.length ? next + 1 : EVERYWHERE;
  return UNITS[next] ?? '';
}

function repeated(unit: string, length: number = LENGTH): string {
  return unit.repeat(Math.ceil(length / unit.length));
}
