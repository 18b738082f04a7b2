import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { connectProcess, type Session, type SessionOptions } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { program } from './support/attacker.ts';
import { FS_QUESTIONS, startFs } from './complete-results/fs-questions.ts';
import { startGitHost } from './complete-results/git-host.ts';
import { GIT_QUESTIONS, startGit } from './complete-results/git-questions.ts';
import { structureOf, textOf, valuesOnlyInText, type Question } from './complete-results/questions.ts';
import { SQL_QUESTIONS } from './complete-results/sql-questions.ts';

const CONFIRMS = { answers: { elicitation: { confirm: true } } } as const;

interface Asked {
  readonly name: string;
  readonly questions: readonly Question[];
  /** Starts the server. Adds resources that must be closed after the session to `others`. */
  readonly start: (directory: string, options: SessionOptions, others: Disposable[]) => Promise<Session>;
}

const SERVERS: readonly Asked[] = [
  { name: 'mcp-fs', questions: FS_QUESTIONS, start: startFs },
  {
    name: 'mcp-git',
    questions: GIT_QUESTIONS,
    start: async (directory, options, others) => {
      const served = path.join(directory, 'host');
      await mkdir(served);
      const host = await startGitHost(served);
      others.push(host);
      return startGit(directory, options, host.origin);
    },
  },
  {
    name: 'mcp-sql',
    questions: SQL_QUESTIONS,
    start: (_, options) =>
      connectProcess(program('sql', '--sample', '--writable', '--tools', 'all', '--structured', 'always'), options),
  },
];

describe.each(SERVERS)('the results of $name', ({ questions, start }) => {
  const others: Disposable[] = [];
  let directory: string;
  let session: Session;
  beforeAll(async () => {
    directory = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-complete-')));
    session = await start(directory, CONFIRMS, others);
  });
  afterAll(async () => {
    await session[Symbol.asyncDispose]();
    for (const other of others) other[Symbol.dispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it('are requested by questions about every tool', async () => {
    const asked = questions.map(({ tool }) => tool);
    expect(new Set(asked)).toEqual(new Set(await session.toolNames()));
  });

  it.each(questions)(
    'contain the answer both in the text and in the structured content: $tool $args',
    async ({ tool, args: given = {}, facts }) => {
      const args = typeof given === 'function' ? await given(session, directory) : given;
      const result = await session.client.callTool({ name: tool, arguments: { ...args } });
      expect(result.isError, textOf(result)).not.toBe(facts.length > 0);
      for (const fact of facts) {
        expect(textOf(result)).toMatch(fact);
        expect(structureOf(result)).toMatch(fact);
      }
      expect(valuesOnlyInText(result, [args, await session.toolNames()]), 'values that the structured content lacks').toEqual([]);
    },
  );
});
