import { connectProcess, type Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { program } from './attacker.ts';
import { structureOf, textOf, valuesOnlyInText, type Question } from './complete-results/questions.ts';
import { SQL_QUESTIONS } from './complete-results/sql-questions.ts';

const CONFIRMS = { answers: { elicitation: { confirm: true } } } as const;

interface Asked {
  readonly name: string;
  readonly questions: readonly Question[];
  readonly start: () => Promise<Session>;
}

const SERVERS: readonly Asked[] = [
  {
    name: 'mcp-sql',
    questions: SQL_QUESTIONS,
    start: () => connectProcess(program('sql', '--sample', '--writable', '--tools', 'all', '--structured', 'always'), CONFIRMS),
  },
];

describe.each(SERVERS)('the results of $name', ({ questions, start }) => {
  let session: Session;
  beforeAll(async () => {
    session = await start();
  });
  afterAll(() => session[Symbol.asyncDispose]());

  it('are asked for by questions about every tool', async () => {
    const asked = questions.map(({ tool }) => tool);
    expect(new Set(asked)).toEqual(new Set(await session.toolNames()));
  });

  it.each(questions)('answer in text and in structure: $tool $args', async ({ tool, args: given = {}, facts }) => {
    const args = typeof given === 'function' ? await given(session) : given;
    const result = await session.client.callTool({ name: tool, arguments: { ...args } });
    expect(result.isError, textOf(result)).not.toBe(facts.length > 0);
    for (const fact of facts) {
      expect(textOf(result)).toMatch(fact);
      expect(structureOf(result)).toMatch(fact);
    }
    expect(valuesOnlyInText(result, [args, await session.toolNames()]), 'values that the structured content lacks').toEqual([]);
  });
});
