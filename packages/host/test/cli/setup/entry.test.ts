import { describe, expect, it } from 'vitest';

import { parseArguments } from '../../../src/options/arguments.ts';
import { describeOptions } from '../../../src/options/option.ts';
import { readOptions } from '../../../src/options/read-options.ts';
import { createEntry, type Entry } from '../../../src/cli/setup/entry.ts';
import { UsageError } from '../../../src/process/usage-error.ts';
import { invocationOf } from './invoked.ts';
import { ArchiveOptions, NotesOptions, TopicOptions } from './notes-options.ts';

const PROGRAM = { command: 'npx', args: ['-y', 'notes'] };

interface Case {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function entryFor({ argv = [], env = {} }: Case, target: Parameters<typeof invocationOf>[0] = NotesOptions): Entry {
  return createEntry(PROGRAM, invocationOf(target, argv), { env, directory: '/code/project' });
}

describe('the arguments of an entry', () => {
  it.each<readonly [readonly string[], readonly string[]]>([
    [[], []],
    [
      ['--read-only', '--no-cache'],
      ['--read-only', '--no-cache'],
    ],
    [
      ['--max-notes', '5', '--log-level=debug'],
      ['--log-level=debug', '--max-notes=5'],
    ],
    [
      ['--tools', 'a,b', '--tools=c'],
      ['--tools=a', '--tools=b', '--tools=c'],
    ],
    [
      ['notes', '../more', '/srv/notes'],
      ['/code/project/notes', '/code/more', '/srv/notes'],
    ],
    [
      ['--directories', 'a', 'b'],
      ['--directories=/code/project/a', '/code/project/b'],
    ],
    [['--drafts', 'drafts'], ['--drafts=/code/project/drafts']],
    [['--drafts=-x'], ['--drafts=/code/project/-x']],
    [['--config', 'notes.json'], ['--config=/code/project/notes.json']],
    [['--timeout', '5m'], ['--timeout=5m']],
    [['--', '--read-only'], ['/code/project/--read-only']],
  ])('are the given ones, with absolute paths: %j', (argv, args) => {
    expect(entryFor({ argv })).toEqual({ command: 'npx', args: ['-y', 'notes', ...args], env: {}, secrets: {}, revealing: [] });
  });

  it('cannot be confused with a subcommand or a flag', () => {
    expect(entryFor({ argv: ['list', 'other'] }, TopicOptions).args).toEqual(['-y', 'notes', 'serve', 'list', 'other']);
    expect(entryFor({ argv: ['--', '-x'] }, TopicOptions).args).toEqual(['-y', 'notes', '--', '-x']);
  });

  it('must not contain an HTTP address, which a client would not use', () => {
    expect(() => entryFor({ argv: ['--http', '8080'] })).toThrow(
      new UsageError(
        'a client starts the server over stdio; remove --http from the options, the environment and the config file',
      ),
    );
  });
});

describe('the variables of an entry', () => {
  it.each<readonly [Case, Partial<Entry>]>([
    [{ env: { MCP_NOTES_READ_ONLY: '1', OTHER: 'x', MCP_NOTES_TOOLS: '' } }, { env: { MCP_NOTES_READ_ONLY: '1' } }],
    [{ env: { MCP_NOTES_DRAFTS: 'd' } }, { env: { MCP_NOTES_DRAFTS: '/code/project/d' } }],
    [{ env: { MCP_NOTES_DIRECTORIES: 'a,/b' } }, { env: { MCP_NOTES_DIRECTORIES: '/code/project/a,/b' } }],
    [
      { argv: ['--no-cache'], env: { MCP_NOTES_CACHE: 'true' } },
      { env: {}, args: ['-y', 'notes', '--no-cache'] },
    ],
    [
      { argv: ['/a'], env: { MCP_NOTES_DIRECTORIES: '/b' } },
      { env: {}, args: ['-y', 'notes', '/a'] },
    ],
  ])('include only variables that are set and in effect: %j', (given, entry) => {
    expect(entryFor(given)).toMatchObject({ secrets: {}, ...entry });
  });

  it.each<readonly [Case, Readonly<Record<string, string>>]>([
    [{ argv: ['--key', 'k3y'] }, { MCP_NOTES_KEY: 'k3y' }],
    [{ env: { MCP_NOTES_KEY: 'k3y' } }, { MCP_NOTES_KEY: 'k3y' }],
    [{ argv: ['--key=k3y'], env: { MCP_NOTES_KEY: 'other' } }, { MCP_NOTES_KEY: 'k3y' }],
  ])('contain the secrets, separate from the others: %j', (given, secrets) => {
    expect(entryFor(given)).toEqual({ ...PROGRAM, env: {}, secrets, revealing: ['MCP_NOTES_KEY'] });
  });

  it('contain an argument that is a secret', () => {
    const given = { argv: ['postgres://ada:pw@db/x'], env: { MCP_NOTES_URL: 'postgres://other' } };
    expect(entryFor(given, ArchiveOptions)).toEqual({
      ...PROGRAM,
      env: {},
      secrets: { MCP_NOTES_URL: 'postgres://ada:pw@db/x' },
      revealing: ['MCP_NOTES_URL'],
    });
  });
});

describe('a server that is started by its entry', () => {
  it.each<Case>([
    { argv: ['--read-only', '--no-cache', '--tools', 'a,*.{b,c}', '--max-notes=3', '/a', '/b', '--key=-k'] },
    { argv: ['--drafts', '/-d', '--', '/serve'], env: { MCP_NOTES_MAX_NOTES: '7', MCP_NOTES_KEY: 'k' } },
    { env: { MCP_NOTES_DIRECTORIES: '/a,/b', MCP_NOTES_DISABLE_TOOLS: 'x,y', MCP_NOTES_CACHE: '0' } },
  ])('has the options of this invocation: %j', async ({ argv = [], env = {} }) => {
    const { args, env: variables, secrets } = entryFor({ argv, env });
    const again = { argv: args.slice(PROGRAM.args.length), env: { ...variables, ...secrets } };
    expect(await optionsFrom(again)).toEqual(await optionsFrom({ argv, env }));
  });
});

function optionsFrom({ argv = [], env = {} }: Case): Promise<NotesOptions> {
  const options = describeOptions(NotesOptions, 'mcp-notes');
  const given = parseArguments(argv, options);
  return readOptions(NotesOptions, options, { arguments: given, positionals: given.positionals, env });
}
