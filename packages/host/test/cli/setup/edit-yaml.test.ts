import { describe, expect, it } from 'vitest';

import { editConfiguration, type Change } from '../../../src/cli/setup/edit-configuration.ts';
import { yamlEditor } from '../../../src/cli/setup/edit-yaml.ts';
import { UsageError } from '../../../src/process/usage-error.ts';

const ENTRY = { enabled: true, type: 'stdio', cmd: 'npx', args: ['-y', 'notes'] };
const ADD: Change = { path: ['extensions', 'notes'], update: () => ENTRY };
const REMOVE: Change = { path: ['extensions', 'notes'], update: () => undefined };

/** A file as Goose writes it. */
const GOOSE = `GOOSE_PROVIDER: anthropic # mine
extensions:
  developer:
    enabled: true
    type: builtin
    args:
    - one
    - two
  # the last one
  memory:
    enabled: false
`;

describe('an entry in YAML', () => {
  it('is added to an empty file', () => {
    expect(editConfiguration(yamlEditor, '', [ADD])).toBe(
      'extensions:\n  notes:\n    enabled: true\n    type: stdio\n    cmd: npx\n    args:\n      - -y\n      - notes\n',
    );
  });

  it.each([
    ['a file of Goose', GOOSE],
    ['lines of Windows', GOOSE.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${GOOSE}`],
  ])('leaves the rest of the file unchanged, and is removed again: %s', (_, text) => {
    const added = editConfiguration(yamlEditor, text, [ADD]);
    expect(added.startsWith(text)).toBe(true);
    expect(editConfiguration(yamlEditor, added, [ADD])).toBe(added);
    expect(editConfiguration(yamlEditor, added, [REMOVE])).toBe(text);
  });

  it.each([
    ['invalid YAML', 'a: [1\n', 'is not valid YAML: '],
    ['a list', '- a\n', 'must contain an object'],
    ['a duplicate name', 'a: 1\na: 2\n', 'is not valid YAML: DUPLICATE_KEY in line 2'],
    ['a text in place of the entries', 'extensions: text\n', 'must have an object as the parent of "notes"'],
  ])('is not written into %s', (_, text, message) => {
    expect(() => editConfiguration(yamlEditor, text, [ADD])).toThrow(UsageError);
    expect(() => editConfiguration(yamlEditor, text, [ADD])).toThrow(message);
  });
});
