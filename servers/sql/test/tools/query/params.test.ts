import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { useStock } from '../../fixtures/stock.ts';
import { CONFIRMS } from '../../fixtures/app.ts';

const database = useStock();

describe.each(ERAS)('the values of placeholders, on a %s connection,', (era) => {
  it.each([
    ['a text', 'select $1::text as value', ['a'], 'a'],
    ['an integer', 'select $1::int + 1 as value', [41], '42'],
    ['a number', 'select $1::numeric * 2 as value', [1.5], '3.0'],
    ['a boolean', 'select not $1::bool as value', [true], 'f'],
    ['null', 'select $1::int is null as value', [null], 't'],
    ['a number for a text', 'select $1::text as value', [1], '1'],
    ['an object', "select $1::jsonb ->> 'a' as value", [{ a: 'b' }], 'b'],
    ['an array', 'select jsonb_array_length($1::jsonb) as value', [['x', 1]], '2'],
  ])('may be %s', async (_, sql, params, value) => {
    await using session = await database.connect({}, era);
    expect(await session.text('query', { sql, params })).toBe(`\`\`\`csv\nvalue\n${value}\n\`\`\`\n1 row`);
    const { structuredContent } = await session.call('explain', { sql, params });
    expect(structuredContent).toMatchObject({ plan: expect.stringMatching(/^Result/) });
    expect(await session.text('export', { sql, params })).toContain('1 row');
  });

  it('may be numbers and null in a statement that writes', async () => {
    await using session = await database.writing(era, CONFIRMS);
    await session.call('execute', { sql: 'update stock set count = coalesce($2::int, 7) where id = $1', params: [1, null] });
    expect(await database.counts()).toBe('7 2 3 4 5');
  });
});
