import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import type { Result } from '../messages/message.ts';
import type { RawClient } from '../client/raw-client.ts';

const REVIEW = { type: 'ref/prompt', name: 'review' };
const ITEM = { type: 'ref/resource', uri: 'protocol://item/{id}' };

type Completion = NonNullable<Result['completion']>;

async function complete(client: RawClient, ref: object, name: string, value: string): Promise<Completion> {
  return (await client.result('completion/complete', { ref, argument: { name, value } })).completion ?? {};
}

export const completion: Area = (test) => {
  test('declares the completions capability', ['completion.capability'], async ({ client }) => {
    const { capabilities } = client.handshake ?? (await client.result('server/discover'));
    expect(capabilities).toMatchObject({ completions: {} });
  });

  test(
    'completes the argument of a prompt with the values that begin with the text first, then similar values',
    ['completion.prompt', 'completion.ranked'],
    async ({ client }) => {
      expect((await complete(client, REVIEW, 'language', 'py')).values).toEqual(['python', 'a python']);
      expect((await complete(client, REVIEW, 'language', 'rby')).values).toEqual(['ruby']);
    },
  );

  test(
    'completes the variable of a template with at most 100 values, and returns their total number',
    ['completion.resource', 'completion.limit'],
    async ({ client }) => {
      const { values = [], total, hasMore } = await complete(client, ITEM, 'id', 'item');
      expect([values.length, total, hasMore]).toEqual([100, 150, true]);
      expect(await complete(client, ITEM, 'id', 'item-149')).toEqual({ values: ['item-149'], total: 1, hasMore: false });
    },
  );

  test('uses the values of the other arguments', ['completion.context'], async ({ client }) => {
    const { completion: found } = await client.result('completion/complete', {
      ref: REVIEW,
      argument: { name: 'framework', value: '' },
      context: { arguments: { language: 'ruby' } },
    });
    expect(found?.values).toEqual(['rails', 'sinatra']);
  });

  test('returns no values for an argument without completions', ['completion.prompt'], async ({ client }) => {
    expect((await complete(client, REVIEW, 'nothing', 'x')).values).toEqual([]);
  });

  for (const ref of [
    { type: 'ref/prompt', name: 'nothing' },
    { type: 'ref/resource', uri: 'protocol://nothing/{id}' },
  ])
    test(`rejects an unknown reference: ${ref.name ?? ref.uri}`, ['completion.unknown'], async ({ client }) => {
      const argument = { name: 'id', value: '' };
      expect(await client.error('completion/complete', { ref, argument })).toMatchObject({ code: -32_602 });
    });

  for (const params of [
    { ref: REVIEW },
    { argument: { name: 'language', value: '' } },
    { ref: REVIEW, argument: { name: 'language' } },
  ])
    test(`rejects the params ${JSON.stringify(params)}`, ['completion.malformed', 'base.params-invalid'], async ({ client }) => {
      expect(await client.error('completion/complete', params)).toMatchObject({ code: -32_602 });
    });
};
