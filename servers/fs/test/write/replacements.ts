/** As they are sent. */
export interface Args {
  readonly path?: string;
  readonly [name: string]: unknown;
}

/** What one file becomes. */
export const REPLACEMENTS: readonly (readonly [what: string, before: string, args: Args, after: string])[] = [
  ['a text wherever it is', 'a b a', { pattern: 'a', replacement: 'c' }, 'c b c'],
  ['by nothing', 'a b a', { pattern: 'a ', replacement: '' }, 'b a'],
  ['a text that would be an expression', 'a.b axb', { pattern: 'a.b', replacement: 'c' }, 'c axb'],
  ['a dollar sign as it is', 'a', { pattern: 'a', replacement: '$& $1 $$' }, '$& $1 $$'],
  ['whatever the case', 'Aa', { pattern: 'a', replacement: 'b', caseSensitive: false }, 'bb'],
  ['whole words', 'cat concat cat_ über', { pattern: 'cat', replacement: 'dog', word: true }, 'dog concat cat_ über'],
  ['an expression', 'a1 a22', { pattern: String.raw`a\d+`, replacement: 'n', regex: true }, 'n n'],
  ['groups', 'k=v\nx=y\n', { pattern: '(\\w)=(\\w)', replacement: '$2=$1', regex: true }, 'v=k\ny=x\n'],
  ['named groups', 'k=v', { pattern: '(?<key>\\w)=(?<value>\\w)', replacement: '$<value>=$<key>', regex: true }, 'v=k'],
  ['the match and a dollar sign', 'ab', { pattern: 'a', replacement: '[$&$$]', regex: true }, '[a$]b'],
  ['groups that are not there as they stand', 'ab', { pattern: '(a)', replacement: '$2$12$<x>', regex: true }, '$2a2$<x>b'],
  ['groups that took no part by nothing', 'b', { pattern: '(a)?b', replacement: '<$1>', regex: true }, '<>'],
  ['the beginning of each line', 'a\nb\n', { pattern: '^', replacement: '> ', regex: true }, '> a\n> b\n'],
  ['within lines', 'a\nb\n', { pattern: '[^x]+', replacement: 'c', regex: true }, 'c\nc\n'],
  ['what looks around within lines', 'ab\nb\n', { pattern: '(?<!a)b', replacement: 'c', regex: true }, 'ab\nc\n'],
  ['a text over lines', 'x\na\nb\nx', { pattern: 'a\nb', replacement: 'c\nd\ne' }, 'x\nc\nd\ne\nx'],
  ['lines that end with CRLF', 'a\r\nb\r\n', { pattern: 'a\nb', replacement: 'c\nd' }, 'c\r\nd\r\n'],
  ['lines of old Macintosh files', 'a\rb\r', { pattern: 'a\nb', replacement: 'c\nd' }, 'c\rd\r'],
  ['line ends alone', 'a\n\n\nb', { pattern: '\n\n', replacement: '\n' }, 'a\n\nb'],
  ['emoji', '😀 x', { pattern: '.', replacement: 'y', regex: true }, 'yyy'],
];

/** What is refused, with what the model is told; none of it changes anything. */
export const REFUSED: readonly (readonly [
  what: string,
  files: Readonly<Record<string, string | Buffer>>,
  args: Args,
  told: string,
])[] = [
  ['a text that is nowhere', { a: 'x' }, { pattern: 'y' }, 'NO_MATCH: the text is in none of the files; nothing was changed'],
  [
    'a text that is nowhere and is expected',
    { a: 'x' },
    { pattern: 'y', expectedCount: 1 },
    'NO_MATCH: the text is there 0 times, not 1 times; nothing was changed\n',
  ],
  [
    'a text that is there too often',
    { a: 'x x', b: 'x' },
    { pattern: 'x', expectedCount: 2 },
    '/a" (2), "ROOT/b" (1); nothing was changed\nnarrow it by path',
  ],
  ['an id of another file', { a: 'x' }, { pattern: 'x', occurrences: ['AAAAAAAAAAAAAAAA.0.1'] }, 'CONFLICT: 1 of 1 occurrences'],
  ['an id that is none', { a: 'x' }, { pattern: 'x', occurrences: ['__proto__'] }, 'CONFLICT: 1 of 1 occurrences'],
  ['no id', { a: 'x' }, { pattern: 'x', occurrences: [] }, 'INVALID_ARGUMENTS'],
  ['501 ids', { a: 'x' }, { pattern: 'x', occurrences: Array.from({ length: 501 }, String) }, 'INVALID_ARGUMENTS'],
  ['no pattern', { a: 'x' }, { pattern: '' }, 'INVALID_ARGUMENTS'],
  ['an expression that is none', { a: 'x' }, { pattern: '(', regex: true }, 'INVALID_ARGUMENTS: a pattern cannot be used'],
  ['a glob bomb', { a: 'x' }, { pattern: 'x', include: ['{a,b}'.repeat(20)] }, 'INVALID_ARGUMENTS: a pattern cannot be used'],
  ['more files than it may change', { a: 'x', b: 'x', c: 'x' }, { pattern: 'x' }, 'TOO_LARGE: more than 2 files have the text'],
  ['more than it may replace', { a: 'x'.repeat(11) }, { pattern: 'x' }, 'TOO_LARGE: there are more than 10 occurrences'],
  [
    'more bytes than it may change',
    { a: `x${' '.repeat(1000)}`, b: `x${' '.repeat(1000)}` },
    { pattern: 'x' },
    'TOO_LARGE: the 2 files have 2002 bytes, more than 1500',
  ],
  [
    'more than may come in',
    { a: 'xxxx' },
    { pattern: 'x', replacement: 'y'.repeat(500) },
    'more than 1500 characters would come',
  ],
  [
    'groups that grow without bound',
    { a: 'x'.repeat(500) },
    { pattern: '(x+)', replacement: '$1'.repeat(10_000), regex: true },
    'TOO_LARGE: more than 1500 characters would come',
  ],
  ['a file that is too large', { a: `x${' '.repeat(1100)}` }, { pattern: 'x' }, 'TOO_LARGE: "ROOT/a": the file has 1101 bytes'],
  [
    'a character that an encoding lacks',
    { a: Buffer.from('x é\n', 'latin1'), b: 'x' },
    { pattern: 'x', replacement: '€uro→' },
    'ENCODING: ',
  ],
  ['a directory that is a file', { a: 'x' }, { path: 'a', pattern: 'x' }, 'NOT_DIRECTORY'],
  ['a path outside', { a: 'x' }, { path: '../..', pattern: 'x' }, 'PATH_OUTSIDE_ROOTS'],
];
