import type { Schema, UsualValues } from '../../stalls/string-places.ts';
import type { Random } from '../support/random.ts';

/** Texts that have a special meaning for a file system, git, SQL, a terminal, JSON or JavaScript. */
const TEXTS: readonly string[] = [
  '',
  ' ',
  '.',
  '..',
  '../../../../etc/passwd',
  '/etc/passwd',
  '/proc/self/environ',
  '/dev/zero',
  '.git/config',
  '.git/hooks/pre-commit',
  '-',
  '--',
  '--output=/tmp/fuzz-executed',
  '--upload-pack=touch executed',
  '-c core.pager=touch executed',
  'HEAD',
  'HEAD~1',
  'HEAD..main',
  '@{-1}',
  ':/x',
  '$(touch executed)',
  '`touch executed`',
  '; touch executed',
  '| touch executed',
  "'; drop table shop.orders; --",
  'select pg_sleep(1)',
  'select * from shop.orders',
  'copy (select 1) to program $$touch executed$$',
  "select pg_read_file('/etc/passwd')",
  'begin; commit; delete from shop.orders',
  '(a+)+$',
  '[',
  '(?<=',
  '**/*',
  '{a,b',
  '\0',
  'a\0b',
  '\n',
  '\r\n',
  '\u001B[2J',
  '\u202Ea',
  '\uFEFF',
  '\uD800',
  '\u{1F600}',
  'é',
  'e\u0301',
  'NaN',
  '1e309',
  '-0',
  '9007199254740993',
  '9999-99-99T99:99:99Z',
  'https://127.0.0.1:1/x',
  'file:///etc/passwd',
  'ext::sh -c "touch executed"',
  '__proto__',
  'constructor',
  'toString',
  '{"a":1}',
  'null',
  'AAAA',
  '====',
];

const LENGTHS = [10, 300, 5000, 100_000] as const;

const NUMBERS: readonly number[] = [0, -0, -1, 1, 2, 0.5, 255, 65_536, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308, 5e-324];

/** Returns a value of the type that the schema declares in most cases, and any value in the other cases. */
export function hostileValue(schema: Schema, usual: UsualValues, random: Random, depth = 0): unknown {
  if (random.chance(0.08)) return anyValue(random, depth);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return hostileValue(random.pick(variants), usual, random, depth);
  return fittingValue(schema, usual, random, depth);
}

function fittingValue(schema: Schema, usual: UsualValues, random: Random, depth: number): unknown {
  const listed = schema.enum ?? ('const' in schema ? [schema.const] : undefined);
  if (listed !== undefined) return random.pick(listed);
  const [type = ''] = [schema.type ?? ''].flat();
  return VALUES[type]?.(schema, usual, random, depth) ?? anyValue(random, depth);
}

type Create = (schema: Schema, usual: UsualValues, random: Random, depth: number) => unknown;

const VALUES: Readonly<Record<string, Create>> = {
  string: (_, __, random) => hostileText(random),
  boolean: (_, __, random) => random.chance(0.5),
  integer: ({ minimum = 0 }, _, random) => (random.chance(0.7) ? minimum + random.below(20) : random.pick(NUMBERS)),
  number: (_, __, random) => random.pick(NUMBERS),
  array: ({ items = {} }, usual, random, depth) =>
    Array.from({ length: random.pick([0, 1, 1, 2, 30]) }, () => hostileValue(items, usual, random, depth + 1)),
  object: hostileObject,
};

/** Returns an object with most required properties, some optional ones, and sometimes one that the schema does not contain. */
function hostileObject({ properties = {}, required = [] }: Schema, usual: UsualValues, random: Random, depth: number): unknown {
  const chosen = Object.entries(properties).filter(([name]) =>
    required.includes(name) ? !random.chance(0.03) : random.chance(0.35),
  );
  const values = chosen.map(([name, schema]) => {
    const isUsual = Object.hasOwn(usual, name) && random.chance(0.6);
    return [name, isUsual ? usual[name] : hostileValue(schema, usual, random, depth + 1)] as const;
  });
  const unknown = random.chance(0.05) ? [[hostileText(random), anyValue(random, depth + 1)] as const] : [];
  return Object.fromEntries([...values, ...unknown]);
}

export function hostileText(random: Random): string {
  const text = random.pick(TEXTS);
  if (random.chance(0.1)) return text.repeat(Math.ceil(random.pick(LENGTHS) / Math.max(1, text.length)));
  return random.chance(0.2) ? text + random.pick(TEXTS) : text;
}

function anyValue(random: Random, depth: number): unknown {
  const kinds: readonly (() => unknown)[] = [
    () => null,
    () => random.chance(0.5),
    () => random.pick(NUMBERS),
    () => hostileText(random),
    () => (depth > 3 ? [] : [anyValue(random, depth + 1)]),
    () => (depth > 3 ? {} : { [hostileText(random)]: anyValue(random, depth + 1) }),
    () => nested(random.pick([10, 1000])),
  ];
  return random.pick(kinds)();
}

function nested(levels: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}
