import { expect } from 'vitest';

import type { Area } from '../area.ts';
import { listOf } from '../reading.ts';

const WRONG_ARGUMENTS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['without what it needs', {}],
  ['with what it does not allow', { language: 'cobol' }],
  ['with what it does not know', { language: 'ruby', dialect: 'old' }],
];

export const prompts: Area = (test) => {
  test('declares them', ['prompts.capability'], async ({ client }) => {
    const { capabilities } = client.handshake ?? (await client.result('server/discover'));
    expect(capabilities).toMatchObject({ prompts: { listChanged: true } });
  });

  test('lists each with a name and what it takes', ['prompts.list'], async ({ client }) => {
    const listed = await listOf(client, 'prompts/list');
    expect(listed).toContainEqual(
      expect.objectContaining({
        name: 'review',
        description: 'A review',
        arguments: [
          expect.objectContaining({ name: 'language', required: true }),
          expect.objectContaining({ name: 'framework', description: 'What it is built on' }),
        ],
      }),
    );
  });

  test('gives the messages of one', ['prompts.get'], async ({ client }) => {
    const given = { language: 'python', framework: 'flask' };
    expect(await client.result('prompts/get', { name: 'review', arguments: given })).toMatchObject({
      description: 'A review',
      messages: [{ role: 'user', content: { type: 'text', text: 'Review python on flask' } }],
    });
  });

  for (const name of ['nothing', '', '__proto__'])
    test(`refuses the unknown prompt "${name}"`, ['prompts.unknown'], async ({ client }) => {
      expect(await client.error('prompts/get', { name })).toMatchObject({ code: -32_602 });
    });

  for (const [what, given] of WRONG_ARGUMENTS)
    test(`refuses one ${what}`, ['prompts.arguments'], async ({ client }) => {
      expect(await client.error('prompts/get', { name: 'review', arguments: given })).toMatchObject({ code: -32_602 });
    });

  test('does not say why one fails', ['prompts.internal'], async ({ client }) => {
    const error = await client.error('prompts/get', { name: 'crashing' });
    expect(error).toMatchObject({ code: -32_603 });
    expect(JSON.stringify(error)).not.toMatch(/EACCES|secret/);
  });
};
