import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import { REFUSED, type Answering } from '../client/raw-client.ts';
import { textOf } from '../client/reading.ts';

const DREAMT: Answering = {
  'sampling/createMessage': () => ({
    role: 'assistant',
    content: { type: 'text', text: 'of sheep' },
    model: 'a model',
    stopReason: 'endTurn',
  }),
};

export const sampling: Area = (test) => {
  test("sends a request to the client's model", ['sampling.created'], async ({ client }) => {
    const { answer, asked } = await client.callAnswering('dream', DREAMT);
    expect(asked).toMatchObject([
      {
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: 'Dream' } }], maxTokens: 50 },
      },
    ]);
    expect(textOf(answer.result ?? {})).toBe('of sheep');
  });

  test(
    'fails only the call if the client answers with an error',
    ['sampling.created', 'lifecycle.capabilities-respected'],
    async ({ client }) => {
      const { answer } = await client.callAnswering('dream', { 'sampling/createMessage': () => REFUSED });
      expect(answer.result).toMatchObject({ isError: true });
    },
  );

  test(
    'sends no sampling request to a client without a model',
    ['sampling.declared', 'base.capability-missing'],
    async ({ client }) => {
      const _meta = { 'io.modelcontextprotocol/clientCapabilities': { roots: {}, elicitation: {} } };
      expect(await client.error('tools/call', { name: 'dream', _meta })).toMatchObject({ code: -32_021 });
    },
  );
};
