import { Field, Flag, Integer, ListOf, McpServer, ObjectOf, OneOf, Text, TextList, Tool } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { ArrayMaxSize, ArrayUnique, Equals, IsArray, IsIn, IsISO8601, IsOptional, IsString, ValidateIf } from 'class-validator';
import { describe, expect, it } from 'vitest';

class PageLayout {
  @Integer('Lines per page', { min: 10, max: 200 }) lines = 60;
}

class SearchNotesInput {
  @Text('Words to find', { minLength: 1, maxLength: 200 }) query!: string;
  @Integer('Maximum number of results', { min: 1, max: 100 }) limit = 20;
  @Flag('Ignore case') ignoreCase = true;
  @OneOf(['title', 'date'], 'Sort order', { optional: true }) sort?: 'title' | 'date';
  @TextList('Notes to search. Default: all notes', { maxItems: 50, optional: true }) @ArrayUnique() names?: string[];
  @ObjectOf(() => PageLayout, 'Layout of the results', { optional: true }) layout?: PageLayout;
}

class OrderLine {
  @Text('Number of the article', { pattern: /^[A-Z]{2}-\d+$/ }) article!: string;
  @Integer({ min: 1 }) count = 1;
}

class ByPost {
  @Equals('post') kind!: 'post';
  @Text('Postal address', { maxLength: 200 }) address!: string;
}

class PickUp {
  @Equals('pick_up') kind!: 'pick_up';
  @OneOf(['n', 's'], 'Shop', { titles: { n: 'North', s: 'South' } }) shop!: string;
}

class OrderInput {
  @ListOf(() => OrderLine, 'Ordered articles', { minItems: 1, maxItems: 50 }) lines!: OrderLine[];
  @Field('How the order is delivered', { oneOf: () => [ByPost, PickUp], discriminator: 'kind' }) delivery!: ByPost | PickUp;
  @Field('Days') @IsOptional() @IsIn(['mon', 'wed', 'fri'], { each: true }) @ArrayUnique() @ArrayMaxSize(3) days?: string[];
  @Field('Labels for your own use', { values: 'string' }) @IsOptional() labels?: Record<string, string>;
  @Field('Vouchers, by number or name', { type: ['integer', 'string'] }) @IsOptional() @IsArray() vouchers?: (number | string)[];
  @Field('Your reference; returned unchanged', { type: 'any' }) @IsOptional() reference?: unknown;
  @Text('Latest date of delivery', { format: 'date', optional: true }) @IsISO8601({ strict: true }) latest?: string;
  @Text('Tax region', { header: 'Region' }) region = 'eu';
  @Field('Tax number') @ValidateIf(({ region }: OrderInput) => region !== 'eu') @IsString() taxNumber?: string;
}

@McpServer({ name: 'shop', version: '1.0.0' })
class Shop {
  @Tool({ description: 'Order' }) order(input: OrderInput): object {
    return { isOrder: input instanceof OrderInput, isLine: input.lines[0] instanceof OrderLine, order: input };
  }
}

@McpServer({ name: 'library', version: '1.0.0' })
class Library {
  @Tool({ description: 'Search the notes' }) searchNotes(input: SearchNotesInput): object {
    return input;
  }
}

const LINES = [{ article: 'AB-1' }];
const ORDER = { lines: LINES, delivery: { kind: 'post', address: 'here' } };

describe.each(ERAS)('the inputs in the guide, in the %s era,', (era) => {
  it('are listed as JSON Schema, without rules that only validators can check', async () => {
    await using session = await connect(new Shop(), { era });
    const [tool] = (await session.client.listTools()).tools;
    expect(tool?.inputSchema).toMatchObject({
      additionalProperties: false,
      required: ['lines', 'delivery'],
      properties: {
        lines: { items: { properties: { article: { pattern: '^[A-Z]{2}-\\d+$' }, count: { minimum: 1, default: 1 } } } },
        delivery: {
          oneOf: [
            { properties: { kind: { const: 'post' } } },
            { properties: { shop: { oneOf: [{ const: 'n', title: 'North' }, {}] } } },
          ],
        },
        days: { uniqueItems: true, maxItems: 3, items: { enum: ['mon', 'wed', 'fri'] } },
        labels: { additionalProperties: { type: 'string' } },
        vouchers: { items: { anyOf: [{ type: 'integer' }, { type: 'string' }] } },
        reference: { description: 'Your reference; returned unchanged' },
        latest: { type: 'string', format: 'date' },
        region: { default: 'eu', 'x-mcp-header': 'Region' },
      },
    });
  });

  it('are passed as instances, with defaults, and null counts as absent', async () => {
    await using session = await connect(new Shop(), { era });
    const { isOrder, isLine, order } = JSON.parse(await session.text('order', { ...ORDER, days: null, reference: null }));
    expect({ isOrder, isLine, order }).toEqual({
      isOrder: true,
      isLine: true,
      order: { ...ORDER, lines: [{ article: 'AB-1', count: 1 }], region: 'eu', reference: null },
    });
  });

  it('are declared in one line each by composite decorators', async () => {
    await using session = await connect(new Library(), { era });
    const [tool] = (await session.client.listTools()).tools;
    expect(tool?.inputSchema).toMatchObject({
      required: ['query'],
      properties: {
        query: { type: 'string', description: 'Words to find', minLength: 1, maxLength: 200 },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
        ignoreCase: { type: 'boolean', default: true },
        sort: { enum: ['title', 'date'] },
        names: { items: { type: 'string' }, maxItems: 50, uniqueItems: true },
        layout: { properties: { lines: { minimum: 10, default: 60 } } },
      },
    });
    expect(JSON.parse(await session.text('search_notes', { query: 'plants', layout: {} }))).toEqual({
      query: 'plants',
      limit: 20,
      ignoreCase: true,
      layout: { lines: 60 },
    });
    expect(await session.fails('search_notes', { query: '', limit: 101 })).toBe(
      'INVALID_ARGUMENTS: search_notes was not run\n' +
        'query: must be longer than or equal to 1 characters\nlimit: must not be greater than 100',
    );
  });

  it.each([
    ['an unknown name', { ...ORDER, regoin: 'eu' }, 'regoin: is not known; did you mean "region"?'],
    [
      'a nested mistake',
      { ...ORDER, lines: [{ article: 'ab' }] },
      'lines.0.article: must match /^[A-Z]{2}-\\d+$/ regular expression',
    ],
    [
      'no member of the union',
      { ...ORDER, delivery: { kind: 'drone' } },
      'delivery.kind: "drone" is not known; one of "post", "pick_up"',
    ],
    [
      'a list that is too long',
      { ...ORDER, days: Array.from({ length: 9 }, () => 'sun') },
      'days: must contain no more than 3 elements',
    ],
    ['a missing value on its condition', { ...ORDER, region: 'ch' }, 'taxNumber: is required'],
    ['a day that does not exist', { ...ORDER, latest: '2026-02-30' }, 'latest: must be a valid ISO 8601 date string'],
  ])('reject %s', async (_, given, reason) => {
    await using session = await connect(new Shop(), { era });
    expect(await session.fails('order', given)).toBe(`INVALID_ARGUMENTS: order was not run\n${reason}`);
  });

  it('count characters as JSON Schema does', async () => {
    await using session = await connect(new Shop(), { era });
    const to = (address: string): object => ({ lines: LINES, delivery: { kind: 'post', address } });
    expect(await session.text('order', { ...to('🌍'.repeat(200)) })).toContain('🌍');
    expect(await session.fails('order', { ...to('🌍'.repeat(201)) })).toContain('delivery.address');
  });
});
