import { Field, McpServer, Tool } from '@org/mcp-decorators';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  Equals,
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';
import { describe, expect, it } from 'vitest';

import { connect, ERAS } from '../../src/index.ts';

class OrderLine {
  @Field('What is ordered') @IsString() @Matches(/^[A-Z]{2}-\d+$/) article!: string;
  @IsInt() @Min(1) count = 1;
}

class ByPost {
  @Equals('post') kind!: 'post';
  @Field('Where it goes') @IsString() @MaxLength(200) address!: string;
}

class PickUp {
  @Equals('pick_up') kind!: 'pick_up';
  @Field('Which shop', { titles: { n: 'North', s: 'South' } }) @IsIn(['n', 's']) shop!: string;
}

class OrderInput {
  @Field('What is ordered', { type: () => OrderLine }) @IsArray() @ArrayMinSize(1) @ArrayMaxSize(50) lines!: OrderLine[];
  @Field('How it gets there', { oneOf: () => [ByPost, PickUp], discriminator: 'kind' }) delivery!: ByPost | PickUp;
  @Field('Days') @IsOptional() @IsIn(['mon', 'wed', 'fri'], { each: true }) @ArrayUnique() @ArrayMaxSize(3) days?: string[];
  @Field('Marks of your own', { values: 'string' }) @IsOptional() labels?: Record<string, string>;
  @Field('Numbers or names', { type: ['integer', 'string'] }) @IsOptional() @IsArray() vouchers?: (number | string)[];
  @Field('Comes back as it is', { type: 'any' }) @IsOptional() reference?: unknown;
  @Field('Not later than', { format: 'date' }) @IsOptional() @IsString() @IsISO8601({ strict: true }) latest?: string;
  @Field('Where it is taxed', { header: 'Region' }) @IsString() region = 'eu';
  @Field('Tax number') @ValidateIf(({ region }: OrderInput) => region !== 'eu') @IsString() taxNumber?: string;
}

@McpServer({ name: 'shop', version: '1.0.0' })
class Shop {
  @Tool({ description: 'Order' }) order(input: OrderInput): object {
    return { isOrder: input instanceof OrderInput, isLine: input.lines[0] instanceof OrderLine, order: input };
  }
}

const LINES = [{ article: 'AB-1' }];
const ORDER = { lines: LINES, delivery: { kind: 'post', address: 'here' } };

describe.each(ERAS)('the inputs of the guide, in the %s era,', (era) => {
  it('are shown as JSON Schema, with what only the validators know left out', async () => {
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
        vouchers: { items: { type: ['integer', 'string'] } },
        reference: { description: 'Comes back as it is' },
        latest: { type: 'string', format: 'date' },
        region: { default: 'eu', 'x-mcp-header': 'Region' },
      },
    });
  });

  it('arrive as instances, with defaults, and null for what is absent', async () => {
    await using session = await connect(new Shop(), { era });
    const { isOrder, isLine, order } = JSON.parse(await session.text('order', { ...ORDER, days: null, reference: null }));
    expect({ isOrder, isLine, order }).toEqual({
      isOrder: true,
      isLine: true,
      order: { ...ORDER, lines: [{ article: 'AB-1', count: 1 }], region: 'eu', reference: null },
    });
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
    ['a day that there is not', { ...ORDER, latest: '2026-02-30' }, 'latest: must be a valid ISO 8601 date string'],
  ])('refuse %s', async (_, given, reason) => {
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
