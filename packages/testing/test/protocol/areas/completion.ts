import { expect } from 'vitest';

import type { Area } from '../area.ts';
import type { Result } from '../message.ts';
import type { RawClient } from '../raw-client.ts';

const REVIEW = { type: 'ref/prompt', name: 'review' };
const ITEM = { type: 'ref/resource', uri: 'protocol://item/{id}' };

type Completion = NonNullable<Result['completion']>;

async function complete(client: RawClient, ref: object, name: string, value: string): Promise<Completion> {
  return (await client.result('completion/complete', { ref, argument: { name, value } })).completion ?? {};
}

export const completion: Area = (test) => {
  test('is declared', ['completion.capability'], async ({ client }) => {
    const { capabilities } = client.handshake ?? (await client.result('server/discover'));
    expect(capabilities).toMatchObject({ completions: {} });
  });

  test(
    'of the argument of a prompt has the values that begin so first, and near ones after them',
    ['completion.prompt', 'completion.ranked'],
    async ({ client }) => {
      expect((await complete(client, REVIEW, 'language', 'py')).values).toEqual(['python', 'a python']);
      expect((await complete(client, REVIEW, 'language', 'rby')).values).toEqual(['ruby']);
    },
  );

  test(
    'of the variable of a template has at most 100 values, and says how many there are',
    ['completion.resource', 'completion.limit'],
    async ({ client }) => {
      const { values = [], total, hasMore } = await complete(client, ITEM, 'id', 'item');
      expect([values.length, total, hasMore]).toEqual([100, 150, true]);
      expect(await complete(client, ITEM, 'id', 'item-149')).toEqual({ values: ['item-149'], total: 1, hasMore: false });
    },
  );

  test('heeds what was chosen already', ['completion.context'], async ({ client }) => {
    const { completion: found } = await client.result('completion/complete', {
      ref: REVIEW,
      argument: { name: 'framework', value: '' },
      context: { arguments: { language: 'ruby' } },
    });
    expect(found?.values).toEqual(['rails', 'sinatra']);
  });

  test('of an argument that is not completed has no values', ['completion.prompt'], async ({ client }) => {
    expect((await complete(client, REVIEW, 'nothing', 'x')).values).toEqual([]);
  });

  for (const ref of [
    { type: 'ref/prompt', name: 'nothing' },
    { type: 'ref/resource', uri: 'protocol://nothing/{id}' },
  ])
    test(`of what is not there is refused: ${ref.name ?? ref.uri}`, ['completion.unknown'], async ({ client }) => {
      const argument = { name: 'id', value: '' };
      expect(await client.error('completion/complete', { ref, argument })).toMatchObject({ code: -32_602 });
    });

  for (const params of [
    { ref: REVIEW },
    { argument: { name: 'language', value: '' } },
    { ref: REVIEW, argument: { name: 'language' } },
  ])
    test(`of ${JSON.stringify(params)} is refused`, ['completion.malformed', 'base.params-invalid'], async ({ client }) => {
      expect(await client.error('completion/complete', params)).toMatchObject({ code: -32_602 });
    });
};
