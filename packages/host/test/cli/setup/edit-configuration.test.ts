import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';

import { editConfiguration, type Change } from '../../../src/cli/setup/edit-configuration.ts';
import { jsonEditor } from '../../../src/cli/setup/edit-json.ts';
import { UsageError } from '../../../src/process/usage-error.ts';

const ENTRY = { command: 'npx', args: ['-y', 'notes'] };
const NOTES: Change = { path: ['mcpServers', 'notes'], update: () => ENTRY };
const INPUT: Change = { path: ['inputs'], id: 'KEY', update: () => ({ id: 'KEY', password: true }) };

/** Returns the text before and after the insertion. In `shown`, `«…»` encloses the inserted parts. */
function apart(shown: string): { readonly before: string; readonly after: string } {
  return { before: shown.replaceAll(/«[^»]*»/g, ''), after: shown.replaceAll(/[«»]/g, '') };
}

const PRETTY = `"notes": {
      "command": "npx",
      "args": [
        "-y",
        "notes"
      ]
    }`;
const MINIFIED = '"notes": {"command":"npx","args":["-y","notes"]}';

const INSERTIONS: readonly (readonly [string, string])[] = [
  ['no text at all', `«{\n  "mcpServers": {\n    ${PRETTY}\n  }\n}\n»`],
  ['an empty object', `{«\n  "mcpServers": {\n    ${PRETTY}\n  }\n»}`],
  ['an empty object over two lines', `{«\n  "mcpServers": {\n    ${PRETTY}\n  }»\n}\n`],
  ['other settings alone', `{\n  "theme": "dark"«,\n  "mcpServers": {\n    ${PRETTY}\n  }»\n}\n`],
  ['no servers yet', `{\n  "mcpServers": {«\n    ${PRETTY}\n  »},\n  "theme":   "dark"\n}`],
  ['another server', `{\n  "mcpServers": {\n    "other": { "command": "x" }«,\n    ${PRETTY}»\n  }\n}\n`],
  [
    'a comment after the last server',
    `{\n  "mcpServers": {\n    "other": 1«,» // "notes": {}\n    /* and so on */«\n    ${PRETTY}»\n  }\n}\n`,
  ],
  ['a comma behind the last server', `{\n  "mcpServers": {\n    "other": 1, // the last«\n    ${PRETTY}»\n  },\n}\n`],
  ['nothing but a comment', `// no settings yet\n«{\n  "mcpServers": {\n    ${PRETTY}\n  }\n}\n»`],
  ['a text of one line', `{"a":[1,{"b":2}],"mcpServers":{"other":1«, ${MINIFIED}»},"z":{ }}`],
  ['a text of one line without servers', `{"a":1«, "mcpServers": {"notes":{"command":"npx","args":["-y","notes"]}}»}\n`],
  ['servers on one line of several', `{\n  "mcpServers": { "other": 1«,\n    ${PRETTY}\n  »}\n}`],
  ['tabs', `{\n\t"mcpServers": {\n\t\t"other": 1«,\n\t\t${PRETTY.replaceAll('  ', '\t')}»\n\t}\n}`],
  ['lines of Windows', `{\n  "mcpServers": {\n    "other": 1«,\n    ${PRETTY}»\n  }\n}\n`.replaceAll('\n', '\r\n')],
  ['a byte order mark', `\uFEFF{\n  "mcpServers": {\n    "other": 1«,\n    ${PRETTY}»\n  }\n}\n`],
  ['a name that every object has', `{\n  "mcpServers": {\n    "constructor": 1«,\n    ${PRETTY}»\n  }\n}\n`],
];

describe('an entry that is added to a configuration', () => {
  it.each(INSERTIONS)('leaves the rest of the file unchanged: %s', (_, shown) => {
    const { before, after } = apart(shown);
    expect(editConfiguration(jsonEditor, before, [NOTES])).toBe(after);
    expect(parse(after.replace('\uFEFF', ''))).toMatchObject({ mcpServers: { notes: ENTRY } });
  });

  it.each(INSERTIONS)('is not added again: %s', (_, shown) => {
    const { after } = apart(shown);
    expect(editConfiguration(jsonEditor, after, [NOTES])).toBe(after);
  });

  it('keeps its existing formatting', () => {
    const text = '{ "mcpServers": { "notes": { "args": ["-y", "notes"], "command": "npx" } } }';
    expect(editConfiguration(jsonEditor, text, [NOTES])).toBe(text);
  });

  it('replaces an older one', () => {
    const before =
      '{\n  "mcpServers": {\n    "notes": {\n      "command": "old", // really\n      "env": {}\n    },\n    "z": 1\n  }\n}\n';
    const after = `{\n  "mcpServers": {\n    ${PRETTY},\n    "z": 1\n  }\n}\n`;
    expect(editConfiguration(jsonEditor, before, [NOTES])).toBe(after);
  });
});

describe('an element of a list of a configuration', () => {
  it.each([
    [
      'without the list',
      '{\n  "servers": {}«,\n  "inputs": [\n    {\n      "id": "KEY",\n      "password": true\n    }\n  ]»\n}',
    ],
    ['in an empty list', '{\n  "inputs": [«\n    {\n      "id": "KEY",\n      "password": true\n    }\n  »]\n}'],
    [
      'after another',
      '{\n  "inputs": [\n    { "id": "OTHER" }«,\n    {\n      "id": "KEY",\n      "password": true\n    }»\n  ]\n}',
    ],
  ])('is added %s', (_, shown) => {
    const { before, after } = apart(shown);
    expect(editConfiguration(jsonEditor, before, [INPUT])).toBe(after);
    expect(editConfiguration(jsonEditor, after, [INPUT])).toBe(after);
  });

  it('replaces the element with the same id', () => {
    const before = '{"inputs":[1,{"id":"KEY","password":false},{"id":"Z"}]}';
    expect(editConfiguration(jsonEditor, before, [INPUT])).toBe('{"inputs":[1,{"id":"KEY","password":true},{"id":"Z"}]}');
  });
});

describe('a configuration that cannot be edited', () => {
  it.each([
    ['invalid JSON', '{\n  "mcpServers": {\n    "a" 1\n  }\n}', 'is not valid JSON: ColonExpected in line 3'],
    ['truncated JSON', '{\n  "mcpServers": {', 'is not valid JSON: CloseBraceExpected in line 2'],
    ['text after its end', '{} {}', 'is not valid JSON: EndOfFileExpected in line 1'],
    ['a list', '[]', 'must contain an object'],
    ['null', 'null', 'must contain an object'],
    ['servers that are a list', '{"mcpServers": []}', 'must have an object as the parent of "notes"'],
    ['servers that are null', '{"mcpServers": null}', 'must have an object as the parent of "notes"'],
    [
      'a duplicate list of servers',
      '{"mcpServers": {}, "mcpServers": {}}',
      'contains a duplicate name in the path mcpServers.notes',
    ],
    ['a duplicate server', '{"mcpServers": {"notes": 1, "notes": 2}}', 'contains a duplicate name in the path mcpServers.notes'],
  ])('is reported with the reason: %s', (_, text, message) => {
    expect(() => editConfiguration(jsonEditor, text, [NOTES])).toThrow(new UsageError(message));
  });

  it('is reported with the reason: a value that is not a list', () => {
    expect(() => editConfiguration(jsonEditor, '{"inputs": {}}', [INPUT])).toThrow('must contain an array at "inputs"');
  });
});

const NO_NOTES: Change = { path: ['mcpServers', 'notes'], update: () => undefined };

/** Each test case has a title, and a text with `«…»` around the removed part. */
const REMOVALS: readonly (readonly [string, string])[] = [
  ['the first of two servers', `{\n  "mcpServers": {\n    «"notes": { "command": "npx" },\n    »"other": 1\n  }\n}\n`],
  ['a server before a comment', `{\n  "mcpServers": {\n    «"notes": 1,\n    »// the other one\n    "other": 1\n  }\n}\n`],
  ['the last of two servers', `{\n  "mcpServers": {\n    "other": 1«,\n    "notes": { "command": "npx" }»\n  }\n}\n`],
  ['a server in a text of one line', `{"mcpServers":{«"notes":1,»"other":1}}`],
  ['a comma in a comment', `{\n  "mcpServers": {\n    «"notes": 1 /* a, b */,\n    »"other": 1\n  }\n}\n`],
  ['lines of Windows', `{\r\n  "mcpServers": {\r\n    «"notes": 1,\r\n    »"other": 1\r\n  }\r\n}\r\n`],
];

describe('an entry that is removed from a configuration', () => {
  it.each(REMOVALS)('leaves the rest of the file unchanged: %s', (_, shown) => {
    const after = shown.replaceAll(/«[^»]*»/g, '');
    expect(editConfiguration(jsonEditor, shown.replaceAll(/[«»]/g, ''), [NO_NOTES])).toBe(after);
    expect(parse(after)).toEqual({ mcpServers: { other: 1 } });
  });
});
