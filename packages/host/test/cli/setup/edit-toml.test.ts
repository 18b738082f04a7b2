import { describe, expect, it } from 'vitest';

import { editConfiguration, type Change } from '../../../src/cli/setup/edit-configuration.ts';
import { tomlEditor } from '../../../src/cli/setup/edit-toml.ts';
import { UsageError } from '../../../src/process/usage-error.ts';

const ENTRY = { command: 'npx', args: ['-y', 'notes'], env: { KEY: 'a "b"' } };
const ADD: Change = { path: ['mcp_servers', 'notes'], update: () => ENTRY };
const REMOVE: Change = { path: ['mcp_servers', 'notes'], update: () => undefined };

const TABLES = `[mcp_servers.notes]
command = "npx"
args = [ "-y", "notes" ]

[mcp_servers.notes.env]
KEY = 'a "b"'
`;
const TEXTS: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['a comment', '# my settings\n'],
  ['settings and another server', 'model = "x" # fast\n\n[mcp_servers.other]\ncommand = "x"\n'],
  ['a server with a similar name', '[mcp_servers.notes2]\ncommand = "x"\n'],
  ['lines of Windows', 'model = "x"\r\n\r\n[mcp_servers.other]\r\ncommand = "x"\r\n'],
  ['a byte order mark', '\uFEFFmodel = "x"\n'],
];

describe('an entry in TOML', () => {
  it('is a table of its own', () => {
    expect(editConfiguration(tomlEditor, '', [ADD])).toBe(TABLES.replace(`'a "b"'`, String.raw`"a \"b\""`));
  });

  it.each(TEXTS)('is added after the rest of the file, which stays unchanged, and removed again: %s', (_, text) => {
    const added = editConfiguration(tomlEditor, text, [ADD]);
    expect(added.startsWith(text)).toBe(true);
    expect(editConfiguration(tomlEditor, added, [ADD])).toBe(added);
    expect(editConfiguration(tomlEditor, added, [REMOVE])).toBe(text);
  });

  it('is replaced between other tables, with its inner tables', () => {
    const text = `[mcp_servers.notes]\ncommand = "old"\n\n[mcp_servers.notes.env]\nOLD = "1"\n\n# keep\n[other]\nx = 1\n`;
    const edited = editConfiguration(tomlEditor, text, [ADD]);
    expect(edited).toMatch(/^\[mcp_servers\.notes\]\ncommand = "npx"/);
    expect(edited).toMatch(/\n\n\[other\]\nx = 1\n$/);
    expect(edited).not.toContain('OLD');
  });

  it.each([
    ['an inline table', 'mcp_servers = { notes = { command = "x" } }\n', 'must have a table of its own for mcp_servers.notes'],
    ['names with dots', 'mcp_servers.notes.command = "x"\n', 'must have a table of its own for mcp_servers.notes'],
    [
      'a text that looks like its table',
      'text = """\n[mcp_servers.notes]\n"""\n',
      'must have a table of its own for mcp_servers.notes',
    ],
    ['invalid TOML', 'model = \n', 'is not valid TOML: Invalid TOML document'],
    ['a duplicate table', '[mcp_servers.notes]\n[mcp_servers.notes]\n', 'is not valid TOML: Invalid TOML document'],
  ])('is not written into %s', (_, text, message) => {
    expect(() => editConfiguration(tomlEditor, text, [ADD])).toThrow(UsageError);
    expect(() => editConfiguration(tomlEditor, text, [ADD])).toThrow(message);
  });
});
