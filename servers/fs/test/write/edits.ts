/** As they are sent. */
type Edits = readonly Readonly<Record<string, unknown>>[];

const INDENTED = 'function a() {\n    if (b) {\n        c();\n    }\n}\n';

/** What a file becomes. */
export const EDITS: readonly (readonly [what: string, before: string, edits: Edits, after: string])[] = [
  ['a text that is there once', 'one two', [{ oldText: 'two', newText: '2' }], 'one 2'],
  [
    'several, one after the other',
    'a b',
    [
      { oldText: 'a', newText: 'c' },
      { oldText: 'c b', newText: 'd' },
    ],
    'd',
  ],
  ['a dollar sign as it is', 'a', [{ oldText: 'a', newText: '$& $1 $$' }], '$& $1 $$'],
  ['all of them', 'x x x', [{ oldText: 'x', newText: 'yx', replaceAll: true }], 'yx yx yx'],
  ['as many as are expected', 'x x', [{ oldText: 'x', newText: 'y', expectedCount: 2 }], 'y y'],
  ['only in a range of lines', 'x\nx\nx\n', [{ oldText: 'x', newText: 'y', startLine: 2, endLine: 2 }], 'x\ny\nx\n'],
  [
    'in lines as they were numbered before the edits',
    'a\nx\nx\n',
    [
      { oldText: 'a', newText: 'a\nb\nc' },
      { oldText: 'x', newText: 'y', startLine: 3 },
    ],
    'a\nb\nc\nx\ny\n',
  ],
  [
    'in lines after one that is gone',
    'a\nx\nx\n',
    [
      { oldText: 'a\n', newText: '' },
      { oldText: 'x', newText: 'y', startLine: 2, endLine: 2 },
    ],
    'y\nx\n',
  ],
  ['what ends without a newline', 'a\nb', [{ oldText: 'b', newText: 'c' }], 'a\nc'],
  ['\\n as CRLF where the file has that', 'a\r\nb\r\n', [{ oldText: 'a\nb', newText: 'c\nd' }], 'c\r\nd\r\n'],
  ['CRLF as \\n where the file has that', 'a\nb\n', [{ oldText: 'a\r\nb', newText: 'c\r\nd' }], 'c\nd\n'],
  [
    'with the line ends of its place where a file has several',
    'a\r\nb\r\nc\nd\n',
    [{ oldText: 'c\nd', newText: 'e\nf' }],
    'a\r\nb\r\ne\nf\n',
  ],
  ['line ends of old Macintosh files', 'a\rb\r', [{ oldText: 'a\nb', newText: 'c\nd' }], 'c\rd\r'],
  ['a carriage return as a line end where the file has that', 'a\rb\r', [{ oldText: 'a\rb', newText: 'c\rd' }], 'c\rd\r'],
  ['lines that begin again before they end', 'a\na\nb\n', [{ oldText: '  a\n  b\n', newText: '  c\n' }], 'a\nc\n'],
  ['what does not overlap', 'aaa', [{ oldText: 'aa', newText: 'b', replaceAll: true }], 'ba'],
  [
    'lines with another indentation',
    INDENTED,
    [{ oldText: 'if (b) {\n  c();\n}', newText: 'if (b) {\n  d();\n  e();\n}' }],
    INDENTED.replace('c();', 'd();\n        e();'),
  ],
  [
    'lines with tabs for spaces',
    '\tif (b)\n\t\tc();\n',
    [{ oldText: '  if (b)\n    c();\n', newText: '  if (b)\n    d();\n' }],
    '\tif (b)\n\t\td();\n',
  ],
  ['a last line without end', 'a\n\tb', [{ oldText: '  b\n', newText: '  c\n' }], 'a\n\tc'],
  ['a text of white space as it is', 'a  b', [{ oldText: '  ', newText: ' ' }], 'a b'],
  ['an emoji', '😀', [{ oldText: '😀', newText: '😎' }], '😎'],
];

/** What is refused, and what the model is told. */
export const REFUSED: readonly (readonly [what: string, before: string, edits: Edits, told: string])[] = [
  [
    'a text that is there twice',
    'x\ny\nx\n',
    [{ oldText: 'x', newText: 'z' }],
    'AMBIGUOUS_MATCH: the text of edits[0] is there 2 times: lines 1, 3\n',
  ],
  [
    'a text that is there too often',
    'x x x',
    [{ oldText: 'x', newText: 'z', expectedCount: 2 }],
    'AMBIGUOUS_MATCH: the text of edits[0] is there 3 times, not 2 times: lines 1, 1, 1\n',
  ],
  [
    'a text like nothing',
    'abc\n',
    [{ oldText: 'zzz', newText: '' }],
    'NO_MATCH: the text of edits[0] is not there\nnothing is like it',
  ],
  [
    'a line that differs',
    'a\nconst x = 1;\nb\n',
    [{ oldText: 'a\nconst x = 2;\nb', newText: '' }],
    'closest is lines 1 to 3: line 2 is "const x = 1;" and not "const x = 2;"',
  ],
  ['another case', 'Hello World\n', [{ oldText: 'hello world', newText: '' }], 'only upper and lower case differ'],
  [
    'other quotes',
    'say \u201Chello\u201D\n',
    [{ oldText: 'say "hello"', newText: '' }],
    'only the form of quotes, dashes or spaces differs',
  ],
  [
    'other white space within a line',
    'a  =  bcdef\n',
    [{ oldText: 'a = bcdef', newText: '' }],
    'only the white space in it differs',
  ],
  [
    'another normal form',
    'caf\u00E9 au lait\n',
    [{ oldText: 'cafe\u0301 au lait', newText: '' }],
    'only the Unicode normal form differs',
  ],
  [
    'more lines than there are',
    'one\ntwo\n',
    [{ oldText: 'one\ntwo\nthree\nfour', newText: '' }],
    'line 3 is "" and not "three"',
  ],
  [
    'a range that ends before it begins',
    'x',
    [{ oldText: 'x', newText: '', startLine: 2, endLine: 1 }],
    'INVALID_ARGUMENTS: endLine is before startLine',
  ],
  [
    'a line outside the range',
    'x\ny\n',
    [{ oldText: 'x', newText: '', startLine: 2 }],
    'NO_MATCH: the text of edits[0] is not there in these lines',
  ],
  [
    'the second of two',
    'x y',
    [
      { oldText: 'x', newText: 'z' },
      { oldText: 'x', newText: 'z' },
    ],
    'NO_MATCH: the text of edits[1] is not there',
  ],
  ['no text', 'x', [{ oldText: '', newText: 'z' }], 'INVALID_ARGUMENTS'],
  ['no edits', 'x', [], 'INVALID_ARGUMENTS'],
  ['more than 200 edits', 'x', Array.from({ length: 201 }, () => ({ oldText: 'x', newText: 'x' })), 'INVALID_ARGUMENTS'],
  ['a line that is none', 'x', [{ oldText: 'x', newText: '', startLine: 0.5 }], 'INVALID_ARGUMENTS'],
];

/** What would take minutes or all memory if it were done as it is asked for. */
export const BOMBS: readonly (readonly [attack: string, before: string, edits: Edits, told: RegExp])[] = [
  [
    'a text that repeats itself and nearly is there everywhere',
    'a'.repeat(2_000_000),
    [{ oldText: `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`, newText: '' }],
    /^NO_MATCH/,
  ],
  [
    'lines that repeat themselves and nearly are there everywhere',
    'x\n'.repeat(1_000_000),
    [{ oldText: `${'x\n'.repeat(50_000)}y`, newText: '' }],
    /^NO_MATCH.*\nclosest is lines 1 to 50001/,
  ],
  [
    'a replacement that grows without bound',
    'a'.repeat(100_000),
    [{ oldText: 'a', newText: 'b'.repeat(100_000), replaceAll: true }],
    /^TOO_LARGE: the text would have 10000000000 characters; what is edited has at most 16777216\n/,
  ],
  [
    'replacements that double it again and again',
    'a',
    Array.from({ length: 200 }, () => ({ oldText: 'a', newText: 'aa', replaceAll: true })),
    /^TOO_LARGE/,
  ],
  [
    'more matches than can be kept',
    'a'.repeat(1_000_001),
    [{ oldText: 'a', newText: 'b' }],
    /^TOO_LARGE: there is more to replace than 1000000 times/,
  ],
];
