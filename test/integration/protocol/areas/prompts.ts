import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import { listOf } from '../client/reading.ts';

const WRONG_ARGUMENTS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['without what it needs', {}],
  ['with what it does not allow', { language: 'cobol' }],
  ['with what it does not know', { language: 'ruby', dialect: 'old' }],
];

export const prompts: Area = (test) => {
  test('declares the prompts capability', ['prompts.capability'], async ({ client }) => {
    const { capabilities } = client.handshake ?? (await client.result('server/discover'));
    expect(capabilities).toMatchObject({ prompts: { listChanged: true } });
  });

  test('lists each prompt with its name and arguments', ['prompts.list'], async ({ client }) => {
    const listed = await listOf(client, 'prompts/list');
    expect(listed).toContainEqual(
      expect.objectContaining({
        name: 'review',
        description: 'A review',
        arguments: [
          expect.objectContaining({ name: 'language', required: true }),
          expect.objectContaining({ name: 'framework', description: 'The framework' }),
        ],
      }),
    );
  });

  test('returns the messages of a prompt', ['prompts.get'], async ({ client }) => {
    const given = { language: 'python', framework: 'flask' };
    expect(await client.result('prompts/get', { name: 'review', arguments: given })).toMatchObject({
      description: 'A review',
      messages: [{ role: 'user', content: { type: 'text', text: 'Review python on flask' } }],
    });
  });

  for (const name of ['nothing', '', '__proto__'])
    test(`rejects the unknown prompt "${name}"`, ['prompts.unknown'], async ({ client }) => {
      expect(await client.error('prompts/get', { name })).toMatchObject({ code: -32_602 });
    });

  for (const [what, given] of WRONG_ARGUMENTS)
    test(`rejects a request ${what}`, ['prompts.arguments'], async ({ client }) => {
      expect(await client.error('prompts/get', { name: 'review', arguments: given })).toMatchObject({ code: -32_602 });
    });

  test('does not disclose the reason for a failed prompt', ['prompts.internal'], async ({ client }) => {
    const error = await client.error('prompts/get', { name: 'crashing' });
    expect(error).toMatchObject({ code: -32_603 });
    expect(JSON.stringify(error)).not.toMatch(/EACCES|secret/);
  });
};
