import { describe, expect, it } from 'vitest';

import { describeIgnoredVariables, type ProgramEnvironment } from '../../src/options/ignored-variables.ts';
import { describeOptions } from '../../src/options/option.ts';
import { ExampleOptions } from './example-options.ts';

/** Returns the warnings for the environment variables of a program that serves this server. */
function check(server: string, variables: readonly string[], formerNames: readonly string[] = []): readonly string[] {
  const env: ProgramEnvironment['env'] = Object.fromEntries(variables.map((name) => [name, '1']));
  return describeIgnoredVariables(describeOptions(ExampleOptions, server), { server, formerNames, env });
}

describe('an environment variable', () => {
  it.each([
    ['MCP_EXAMPLE_RAEDONLY', 'MCP_EXAMPLE_READ_ONLY'],
    ['MCP_EXAMPLE_READONLY', 'MCP_EXAMPLE_READ_ONLY'],
    ['MCP_EXAMPLE_LOGLEVEL', 'MCP_EXAMPLE_LOG_LEVEL'],
    ['MCP_EXAMPLE_DIRECTORY', 'MCP_EXAMPLE_DIRECTORIES'],
    ['MCP_EXAMPLE_MAX_ENTRY', 'MCP_EXAMPLE_MAX_ENTRIES'],
  ])('that resembles an option is reported: %s', (name, meant) => {
    expect(check('mcp-example', [name])).toEqual([`the environment variable ${name} is not an option; did you mean ${meant}?`]);
  });

  it.each([
    ['is an option', 'mcp-example', 'MCP_EXAMPLE_READ_ONLY'],
    ['is an option of another server', 'mcp-example', 'MCP_GIT_READ_ONLY'],
    ['is an option of a server with a longer name', 'mcp', 'MCP_FS_READ_ONLY'],
    ['is an option of a server with a longer name that begins like an option', 'mcp', 'MCP_RW_READ_ONLY'],
    ['is a misspelled option of a server with a longer name', 'mcp', 'MCP_FS_RAED_ONLY'],
    ['has another prefix', 'mcp-example', 'EXAMPLE_RAEDONLY'],
    ['resembles no option', 'mcp-example', 'MCP_EXAMPLE_HOME'],
    ['resembles an option except for the first letter', 'mcp-example', 'MCP_EXAMPLE_HEAD_ONLY'],
    ['is only the prefix', 'mcp-example', 'MCP_EXAMPLE_'],
  ])('that %s is not reported', (_, server, name) => {
    expect(check(server, [name])).toEqual([]);
  });

  it('that is empty is not reported, because an empty variable has no effect on purpose', () => {
    const env = { MCP_EXAMPLE_RAEDONLY: '', NOTES_READ_ONLY: '' };
    const options = describeOptions(ExampleOptions, 'mcp-example');
    expect(describeIgnoredVariables(options, { server: 'mcp-example', formerNames: ['notes'], env })).toEqual([]);
  });
});

describe('an option with the name of a base class', () => {
  it('is reported with the variable that has an effect', () => {
    expect(check('acme-files', ['MCP_FS_READ_ONLY', 'MCP_FS_HOME'], ['mcp-fs'])).toEqual([
      'the environment variable MCP_FS_READ_ONLY has no effect, because this server is called acme-files; use ACME_FILES_READ_ONLY',
    ]);
  });

  it('is not reported if the base class is not an ancestor', () => {
    expect(check('acme-files', ['MCP_GIT_READ_ONLY'], ['mcp-fs'])).toEqual([]);
  });

  it('is reported if the new name begins with the name of the base class, except for the options of the new name', () => {
    expect(check('notes-pro', ['NOTES_READ_ONLY', 'NOTES_PRO_READ_ONLY'], ['notes'])).toEqual([
      'the environment variable NOTES_READ_ONLY has no effect, because this server is called notes-pro; use NOTES_PRO_READ_ONLY',
    ]);
  });

  it('is reported as renamed, not as misspelled, if the new name is the beginning of the name of the base class', () => {
    expect(check('notes', ['NOTES_PRO_CACHE'], ['notes-pro'])).toEqual([
      'the environment variable NOTES_PRO_CACHE has no effect, because this server is called notes; use NOTES_CACHE',
    ]);
  });
});
