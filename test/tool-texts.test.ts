import type { Tool } from '@modelcontextprotocol/client';
import { connectProcess, type Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { program } from './support/attacker.ts';

interface Listed {
  readonly name: string;
  readonly args: readonly string[];
  /** Tools that hosts with a tool search load at once. */
  readonly loaded: readonly string[];
  /** Words that people search for, by the tool that they mean. */
  readonly words: Readonly<Record<string, readonly string[]>>;
}

interface Parameter {
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Parameter>>;
  readonly items?: Parameter;
}

const NO_DATABASE = 'postgres://nobody@127.0.0.1:1/none';

const SERVERS: readonly Listed[] = [
  {
    name: 'fs',
    args: ['.'],
    loaded: ['read_text_file', 'search_content', 'edit_file'],
    words: { search_content: ['search file contents', 'grep', 'find', 'text', 'files'] },
  },
  {
    name: 'git',
    args: ['.', '--tools', 'all'],
    loaded: ['git_status', 'git_diff'],
    words: {
      git_restore: ['discard changes', 'restore'],
      git_reset: ['discarding changes'],
      git_stash_push: ['stash'],
      git_status: ['changed files'],
    },
  },
  {
    name: 'sql',
    args: [NO_DATABASE, '--writable', '--tools', 'all'],
    loaded: ['search_objects', 'query'],
    words: { search_objects: ['list', 'tables'], query: ['run', 'sql', 'postgresql'], execute: ['run', 'sql', 'postgresql'] },
  },
];

describe.each(SERVERS)('the tools of mcp-$name', ({ name, args, loaded, words }) => {
  let session: Session;
  let tools: readonly Tool[];
  beforeAll(async () => {
    session = await connectProcess(program(name, ...args));
    ({ tools } = await session.client.listTools());
  });
  afterAll(() => session[Symbol.asyncDispose]());

  it('describe in words each default that is not false, because some hosts drop the keyword', () => {
    const parameters = tools.flatMap(({ name: tool, inputSchema }) => parametersOf(inputSchema as Parameter, tool));
    const silent = parameters.filter(([, { description = '', default: initial }]) => {
      if (initial === undefined || initial === false) return false;
      const text = description.toLowerCase();
      return !text.includes('default') || ![initial].flat().every((value) => text.includes(wordOf(value)));
    });
    expect(silent).toEqual([]);
  });

  it('are in the default set if everyday tasks need them', () => {
    const marked = tools.filter(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true);
    expect(marked.map((tool) => tool.name)).toEqual(loaded);
  });

  it.each(Object.entries(words))('are found by everyday words: %s', (tool, wanted) => {
    const { description = '', _meta } = tools.find((each) => each.name === tool) ?? {};
    const text = `${description} ${String(_meta?.['anthropic/searchHint'])}`.toLowerCase();
    expect(wanted.filter((word) => !text.includes(word))).toEqual([]);
  });
});

function parametersOf({ properties = {}, items }: Parameter, place: string): readonly (readonly [string, Parameter])[] {
  const nested = Object.entries(properties).flatMap(([name, parameter]) => {
    const inside = `${place}.${name}`;
    return [[inside, parameter] as const, ...parametersOf(parameter, inside)];
  });
  return items === undefined ? nested : [...nested, ...parametersOf(items, `${place}[]`)];
}

/** Formats a default value as descriptions write it; an empty text means "everything". */
function wordOf(value: unknown): string {
  return value === '' ? 'everything' : String(value).toLowerCase();
}
