import { setImmediate as turn } from 'node:timers/promises';

import { McpServer, RequestContext, Tool } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { IsBoolean } from 'class-validator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

class Consent {
  @IsBoolean() ok!: boolean;
}

const SAMPLING = { messages: [], maxTokens: 1 };

@McpServer({ name: 'unattended', version: '1.0.0' })
class Unattended {
  @Tool({ description: 'Begin two questions and await the second first' })
  async crossed(context: RequestContext): Promise<string> {
    const first = context.elicit('first', 'First?', Consent);
    const second = await context.elicit('second', 'Second?', Consent);
    return `${(await first).action}, ${second.action}`;
  }

  @Tool({ description: 'Begin questions and await none' })
  async forgetful(context: RequestContext): Promise<string> {
    void context.elicit('consent', 'Well?', Consent);
    void context.sample('sampled', SAMPLING);
    void context.roots();
    return 'done';
  }

  @Tool({ description: 'Ask with a key twice, and await neither' })
  async repeating(context: RequestContext): Promise<string> {
    void context.elicit('consent', 'Well?', Consent);
    void context.elicit('consent', 'Well?', Consent);
    return 'done';
  }

  @Tool({ description: 'Fail' })
  async failing(): Promise<never> {
    throw new Error('at once');
  }
}

const unhandled: unknown[] = [];
const record = (error: unknown): void => void unhandled.push(error);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', record);
});

afterEach(() => {
  process.off('unhandledRejection', record);
});

describe.each(ERAS)('a promise that is not awaited yet, in the %s era,', (era) => {
  const answers = { elicitation: { ok: true }, sampling: 'text' };

  it('is resolved later: two questions, the first of which is awaited last', async () => {
    await using session = await connect(new Unattended(), { era, answers, roots: () => [] });
    expect(await session.text('crossed')).toBe('accept, accept');
    expect(unhandled).toEqual([]);
  });

  it.each(['forgetful', 'repeating'])(
    'does not end the process if it is rejected: questions of a method that is %s',
    async (tool) => {
      await using session = await connect(new Unattended(), { era, answers, roots: () => [] });
      expect(await session.fails(tool)).toMatch(/^INTERNAL/);
      await turn();
      await turn();
      expect(unhandled).toEqual([]);
    },
  );

  it('does not end the process if it is rejected: a call that an interceptor awaits later', async () => {
    const interceptors = [
      async (_: unknown, next: () => Promise<unknown>): Promise<unknown> => {
        const outcome = next();
        await turn();
        await turn();
        return outcome;
      },
    ];
    await using session = await connect(new Unattended(), { era, interceptors });
    expect(await session.fails('failing')).toMatch(/^INTERNAL/);
    expect(unhandled).toEqual([]);
  });
});
