import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import {
  ArrayContains,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  Contains,
  Equals,
  IsArray,
  IsBoolean,
  IsDivisibleBy,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsPositive,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ClassSchema } from '../../src/schema/class-schema.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { declared } from './declared.ts';

// What TypeScript makes of an enum; a numeric one maps back from its values too.
const Order = { Oldest: 0, Newest: 1, 0: 'Oldest', 1: 'Newest' };
const Format = { Plain: 'plain', Markdown: 'markdown' };

const EACH = { each: true };

const TABLE: readonly (readonly [string, readonly PropertyDecorator[], JsonSchema])[] = [
  ['IsString', [IsString()], { type: 'string' }],
  ['IsBoolean', [IsBoolean()], { type: 'boolean' }],
  ['IsInt', [IsInt()], { type: 'integer' }],
  ['IsNumber', [IsNumber()], { type: 'number' }],
  ['IsObject', [IsObject()], { type: 'object' }],
  ['IsArray of strings', [IsArray(), IsString(EACH)], { type: 'array', items: { type: 'string' } }],
  ['IsIn of strings', [IsIn(['a', 'b'])], { type: 'string', enum: ['a', 'b'] }],
  ['IsIn of integers', [IsIn([1, 2])], { type: 'integer', enum: [1, 2] }],
  ['IsIn of numbers', [IsIn([1, 2.5])], { type: 'number', enum: [1, 2.5] }],
  ['IsIn of booleans', [IsIn([true])], { type: 'boolean', enum: [true] }],
  ['IsEnum of strings', [IsEnum(Format)], { type: 'string', enum: ['plain', 'markdown'] }],
  ['IsEnum of numbers, which stay numbers', [IsEnum(Order)], { type: 'integer', enum: [0, 1] }],
  ['Min and Max', [IsInt(), Min(1), Max(9)], { type: 'integer', minimum: 1, maximum: 9 }],
  ['MinLength and MaxLength', [IsString(), MinLength(2), MaxLength(4)], { type: 'string', minLength: 2, maxLength: 4 }],
  ['Length', [IsString(), Length(2, 4)], { type: 'string', minLength: 2, maxLength: 4 }],
  ['Length without an upper limit', [IsString(), Length(2)], { type: 'string', minLength: 2 }],
  [
    'ArrayMinSize and ArrayMaxSize',
    [IsInt(EACH), ArrayMinSize(1), ArrayMaxSize(2)],
    { type: 'array', minItems: 1, maxItems: 2, items: { type: 'integer' } },
  ],
  [
    'limits of each element',
    [IsInt(EACH), Min(1, EACH), Max(9, EACH)],
    { type: 'array', items: { type: 'integer', minimum: 1, maximum: 9 } },
  ],
  [
    'lengths of each element',
    [IsString(EACH), Length(2, 4, EACH)],
    { type: 'array', items: { type: 'string', minLength: 2, maxLength: 4 } },
  ],
  ['an enum of each element', [IsIn(['a', 'b'], EACH)], { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }],
  ['IsNumber with decimal places, without a keyword', [IsNumber({ maxDecimalPlaces: 2 })], { type: 'number' }],
  ['IsEmail, without a keyword', [IsString(), IsEmail()], { type: 'string' }],
  ['IsISO8601, without a keyword', [IsString(), IsISO8601()], { type: 'string' }],
  ['Matches, without a keyword', [IsString(), Matches(/^a/)], { type: 'string' }],
  ['Contains, without a keyword', [IsString(), Contains('a')], { type: 'string' }],
  ['Equals, without a keyword', [IsString(), Equals('a')], { type: 'string' }],
  ['IsNotEmpty, without a keyword', [IsString(), IsNotEmpty()], { type: 'string' }],
  ['IsPositive, without a keyword', [IsInt(), IsPositive()], { type: 'integer' }],
  ['IsDivisibleBy, without a keyword', [IsInt(), IsDivisibleBy(3)], { type: 'integer' }],
  ['ArrayUnique, without a keyword', [IsInt(EACH), ArrayUnique()], { type: 'array', items: { type: 'integer' } }],
  ['ArrayContains, without a keyword', [IsInt(EACH), ArrayContains([1])], { type: 'array', items: { type: 'integer' } }],
];

const STRINGS = [
  '',
  'a',
  'ab',
  'abcd',
  'abcde',
  'plain',
  'Plain',
  'a@example.org',
  '2026-02-30',
  '2026-07-28T10:00:00Z',
  '😀😀',
  '1',
  'true',
];
const NUMBERS = [0, -0, 1, 1.5, 2, 2.5, 3, 9, 9.01, 10, -1, 19.99, 1e21, Number.MAX_SAFE_INTEGER];
const ARRAYS = [[], [1], [1, 1], [1, 2, 3], ['a'], ['ab', 'abcd'], ['a', 'c'], [0], [9, 10], ['', 'ab'], [[]], [{}]];
const OBJECTS = [{}, { a: 1 }, { a: { b: [] } }];
const VALUES: readonly unknown[] = [...STRINGS, ...NUMBERS, true, false, ...ARRAYS, ...OBJECTS];

const ajv = new AjvJsonSchemaValidator();

describe('the JSON Schema of', () => {
  it.each(TABLE)('%s', (_, decorators, expected) => {
    const schema = ClassSchema.of(declared(decorators));
    expect(schema.problems).toEqual([]);
    expect(schema.input.properties['value']).toEqual(expected);
    expect(schema.output.properties['value']).toEqual(expected);
  });
});

describe('an advertised schema is never stricter than the validator:', () => {
  it.each(TABLE)('%s', (_, decorators) => {
    const schema = ClassSchema.of(declared(decorators));
    const advertised = ajv.getValidator({ ...schema.input });
    const accepted = VALUES.map((value) => ({ value })).filter((given) => schema.parse(given).issues === undefined);
    expect(accepted).not.toEqual([]);
    expect(accepted.filter((given) => !advertised(given).valid)).toEqual([]);
  });
});

describe('a rule of values that JSON does not have', () => {
  it('is enforced without a keyword', () => {
    const schema = ClassSchema.of(declared([IsString(), IsIn([undefined, 'a'])]));
    expect(schema.input.properties['value']).toEqual({ type: 'string' });
    expect(schema.parse({ value: 'b' }).issues).toHaveLength(1);
  });
});
