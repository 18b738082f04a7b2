import { readFile } from 'node:fs/promises';

import { compileServer, ToolError, type CompiledTool } from '@org/mcp-decorators';
import { connect, ERAS, expectCompatible } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { GitOptions, GitServer } from '../src/index.ts';
import { TeamGit, TeamOptions } from './fixtures/team-git.ts';
import { repositoryOf } from './fixtures/temporary.ts';

async function code(file: string): Promise<string> {
  return readFile(new URL(file, import.meta.url), 'utf8');
}

/** Matches the imports and the start of the server, which docs/build/extending.md and the fixture write differently. */
const AROUND = /^import .*\n|\nawait runServer.*\n/gm;

const { tools, resources, templates, prompts } = compileServer(GitServer);

/** Values of parameters by type; any other parameter is a text. */
const VALUES: Readonly<Record<string, unknown>> = { array: ['x'], integer: 1 };

/** Returns the smallest arguments that fit the input schema of a tool. */
function minimalArguments({ definition }: CompiledTool): Record<string, unknown> {
  const { properties = {}, required = [] } = definition.inputSchema as {
    readonly properties?: Readonly<Record<string, { readonly type?: string; readonly enum?: readonly unknown[] }>>;
    readonly required?: readonly string[];
  };
  return Object.fromEntries(
    required.map((name) => [name, properties[name]?.enum?.[0] ?? VALUES[properties[name]?.type ?? ''] ?? 'x']),
  );
}

/** Returns a subclass that overrides one method without a decorator. */
function overriding(member: string): new (options: GitOptions) => GitServer {
  const Overriding = class extends GitServer {};
  const override = (): never => {
    throw new ToolError('NOT_FOUND', `${member} was overridden`);
  };
  Object.defineProperty(Overriding.prototype, member, { value: override, writable: true, configurable: true });
  return Overriding;
}

describe('a method of a plain subclass', () => {
  it.each([...tools.values()].map((tool) => [tool.definition.name, tool] as const))(
    'overrides the tool %s',
    async (name, tool) => {
      await using session = await connect(new (overriding(tool.member))(new GitOptions()), { tools: ['all'] });
      expect(await session.fails(name, minimalArguments(tool))).toBe(`NOT_FOUND: ${tool.member} was overridden`);
    },
  );

  it.each([...resources.values(), ...templates, ...prompts.values()].map(({ member }) => member))(
    'overrides the resource or prompt %s',
    (member) => {
      const compiled = compileServer(overriding(member));
      const members = [...compiled.resources.values(), ...compiled.templates, ...compiled.prompts.values()];
      expect(members.map((each) => each.member)).toContain(member);
    },
  );
});

describe.each(ERAS)('a subclass of the git server on a %s connection', (era) => {
  it('adds a tool, overrides another and removes a third', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
    const options = Object.assign(new TeamOptions(), { directories: [top] });
    await using session = await connect(new TeamGit(options), { era });
    expect(await session.toolNames()).not.toContain('git_clean');
    expect(await session.fails('git_commit', { message: 'Extend', allow_empty: true })).toBe(
      'INVALID_ARGUMENTS: the message does not begin with the key of an issue\nbegin the message with ACME- and the number of the issue',
    );
    expect(await session.text('git_commit', { message: 'ACME-1 Extend', allow_empty: true })).toContain(
      'ACME-1 Extend (0 files)',
    );
    expect(await session.text('committers')).toBe('     2\tAnn\n');
  });
});

describe('a subclass of the git server', () => {
  it('remains compatible with clients of the git server', () => {
    expectCompatible(TeamGit, GitServer, { except: ['git_clean'] });
  });

  it('is the example in docs/build/extending.md', async () => {
    const [, written = ''] =
      /^```ts \[src\/team-git\.ts\]\n(.*?)^```$/ms.exec(await code('../../../docs/build/extending.md')) ?? [];
    expect(written.replaceAll(AROUND, '')).toBe(
      (await code('fixtures/team-git.ts')).replaceAll(AROUND, '').replace('\n\n', '\n'),
    );
  });
});
