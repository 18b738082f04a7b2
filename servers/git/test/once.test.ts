import { eachTransport, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';
import { fileURLToPath } from 'node:url';

import { GitOptions, GitServer } from '../src/index.ts';
import { tokenOf } from './fixtures/confirming.ts';
import { git, repositoryOf, writeIn } from './fixtures/temporary.ts';

const BIN = fileURLToPath(new URL('../bin/mcp-git.js', import.meta.url));

/** Clients of protocol version 2026-07-28, in which a client sends the answer to a question by repeating the call. */
const CASES = eachTransport<{ readonly top: string }>({
  server: ({ top }) => new GitServer(Object.assign(new GitOptions(), { directories: [top], tools: ['all'] })),
  program: ({ top }) => ({ command: process.execPath, args: [BIN, '--tools', 'all', top] }),
}).filter(({ era }) => era === 'modern');

interface Losing {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Creates the data that the tool would lose. */
  readonly prepare: (top: string) => unknown;
}

const LOSING: readonly Losing[] = [
  { tool: 'git_reset', input: { mode: 'hard' }, prepare: (top) => writeIn(top, 'a.txt', 'mine\n') },
  { tool: 'git_restore', input: { paths: ['a.txt'] }, prepare: (top) => writeIn(top, 'a.txt', 'mine\n') },
  { tool: 'git_clean', input: {}, prepare: (top) => writeIn(top, 'new.txt', 'mine\n') },
  {
    tool: 'git_stash_drop',
    input: {},
    prepare: async (top) => {
      await writeIn(top, 'a.txt', 'mine\n');
      git(top, ['stash', 'push', '--quiet']);
    },
  },
];

interface Answered {
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly requestState?: string;
  readonly isError?: boolean;
  readonly content?: readonly unknown[];
}

async function send({ client }: Session, tool: string, params: object): Promise<Answered> {
  const result: object = await client.request(
    { method: 'tools/call', params: { name: tool, ...params } },
    { allowInputRequired: true },
  );
  return result;
}

function stateOf(top: string): string {
  return [['status', '--porcelain'], ['stash', 'list'], ['diff']].map((args) => git(top, args)).join();
}

const USED = (subject: string): object => ({
  isError: true,
  content: [{ text: expect.stringContaining(`PRECONDITION_FAILED: ${subject} was already used; nothing was done`) }],
});

describe.each(CASES)('over $name,', ({ connect }) => {
  it.each(LOSING)(
    'an approval of $tool has one effect, even if it is sent again, and none if it was not requested',
    async (losing) => {
      const { tool, input, prepare } = losing;
      const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
      await using session = await connect({ top, capabilities: { elicitation: { form: {} } } });
      await prepare(top);
      const { inputRequests = {}, requestState } = await send(session, tool, { arguments: input });
      const yes = { action: 'accept', content: { confirm: true } };
      const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, yes]));
      const before = stateOf(top);
      expect(await send(session, tool, { arguments: input, inputResponses })).toMatchObject({ inputRequests: {} });
      expect(stateOf(top)).toBe(before);
      const answered = { arguments: input, inputResponses, requestState };
      expect((await send(session, tool, answered)).isError).not.toBe(true);
      await prepare(top);
      const again = stateOf(top);
      for (const replay of [answered, answered])
        expect(await send(session, tool, replay)).toMatchObject(USED('the requestState'));
      expect(stateOf(top)).toBe(again);
    },
  );

  it.each(LOSING)('the confirm_token of $tool has one effect', async ({ tool, input, prepare }) => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
    await using session = await connect({ top });
    await prepare(top);
    const confirm_token = tokenOf(await session.call(tool, { ...input, dry_run: true }));
    const confirmed = { ...input, confirm_token };
    await session.call(tool, confirmed);
    await prepare(top);
    const before = stateOf(top);
    expect(await session.fails(tool, confirmed)).toMatch(/^PRECONDITION_FAILED/);
    expect(stateOf(top)).toBe(before);
  });
});
