import {
  Equals,
  IsArray,
  IsIn,
  IsInt,
  IsNotEmptyObject,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';

import { Field } from '../../../src/index.ts';
import type { JsonSchema } from '../../../src/schema/json-schema.ts';
import { EACH, type Row } from './row.ts';

class Range {
  @IsInt() from!: number;
  @IsOptional() @IsInt() to?: number;
}
class Loose {
  @IsOptional() @IsInt() limit?: number;
}
class Circle {
  @Equals('circle') kind!: 'circle';
  @IsNumber() @Min(0) radius!: number;
}
class Rectangle {
  @IsIn(['square', 'rectangle']) kind: 'square' | 'rectangle' = 'rectangle';
  @IsNumber() width!: number;
}
class Tree {
  @IsString() @MinLength(1) name!: string;
  @Field({ type: () => Tree }) @IsOptional() @ValidateNested(EACH) children?: Tree[];
}

const CLOSED = { additionalProperties: false } as const;
const RANGE: JsonSchema = {
  type: 'object',
  properties: { from: { type: 'integer' }, to: { type: 'integer' } },
  required: ['from'],
  ...CLOSED,
};
const SHAPE: JsonSchema = {
  type: 'object',
  oneOf: [
    {
      type: 'object',
      properties: { kind: { type: 'string', const: 'circle' }, radius: { type: 'number', minimum: 0 } },
      required: ['kind', 'radius'],
      ...CLOSED,
    },
    {
      type: 'object',
      properties: { kind: { type: 'string', enum: ['square', 'rectangle'], default: 'rectangle' }, width: { type: 'number' } },
      required: ['kind', 'width'],
      ...CLOSED,
    },
  ],
};
const UNION = { oneOf: () => [Circle, Rectangle], discriminator: 'kind' };
const CIRCLE = { kind: 'circle', radius: 1 };

export const OBJECTS: readonly Row[] = [
  ['IsObject', [IsObject()], { type: 'object' }, [{}, { a: [null, { b: 1 }] }], [[], 'a', 1]],
  [
    'IsNotEmptyObject',
    [IsNotEmptyObject()],
    { type: 'object', minProperties: 1 },
    [{ a: 1 }, { a: null }, { hasOwnProperty: 1 }],
    [{}, []],
  ],
  [
    'IsNotEmptyObject without null',
    [IsObject(), IsNotEmptyObject({ nullable: false })],
    { type: 'object', minProperties: 1 },
    [{ a: 1 }],
    [{}, { a: null }],
  ],
  [
    'IsNotEmptyObject of a class',
    [Field({ type: () => Loose }), IsNotEmptyObject()],
    { type: 'object', properties: { limit: { type: 'integer' } }, ...CLOSED },
    [{}, { limit: 1 }],
    [[], { limit: 'a' }],
  ],
  [
    'an object of a class',
    [Field({ type: () => Range }), ValidateNested()],
    RANGE,
    [{ from: 1 }, { from: 1, to: 2 }],
    [{}, { from: 1, too: 2 }, [], 'a'],
  ],
  [
    'objects of a class',
    [Field({ type: () => Range }), ValidateNested(EACH)],
    { type: 'array', items: RANGE },
    [[], [{ from: 1 }]],
    [[{}], { from: 1 }],
  ],
  ['a class and IsObject', [Field({ type: () => Range }), IsObject()], RANGE, [{ from: 1 }], [{}]],
  [
    'a union',
    [Field(UNION)],
    SHAPE,
    [CIRCLE, { kind: 'square', width: 1 }, { kind: 'rectangle', width: 2 }],
    [{}, { kind: 'triangle' }, { width: 1 }, { kind: 'circle', width: 1 }, { kind: ['circle'], radius: 1 }, 'circle'],
  ],
  [
    'unions in an array',
    [Field(UNION), IsArray()],
    { type: 'array', items: SHAPE },
    [[], [CIRCLE, { kind: 'square', width: 1 }]],
    [[CIRCLE, { kind: 'x' }], CIRCLE],
  ],
  [
    'a map of a class',
    [Field({ values: () => Range })],
    { type: 'object', additionalProperties: RANGE },
    [{}, { a: { from: 1 }, constructor: { from: 2 } }],
    [[], { a: {} }, { a: { from: 1, too: 1 } }],
  ],
  [
    'a map of strings',
    [Field({ values: 'string' })],
    { type: 'object', additionalProperties: { type: 'string' } },
    [{}, { a: 'b', hasOwnProperty: 'c' }],
    [{ a: 1 }, 'a'],
  ],
  [
    'a map of several types',
    [Field({ values: ['string', 'null'] }), IsObject()],
    { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    [{ a: null, b: 'c' }],
    [{ a: 1 }],
  ],
  [
    'a map of anything',
    [Field({ values: 'any' })],
    { type: 'object', additionalProperties: {} },
    [{}, { a: [null], b: { c: 1 } }],
    [[], 1],
  ],
  [
    'a map that is not empty',
    [Field({ values: 'integer' }), IsNotEmptyObject()],
    { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 1 },
    [{ a: 1 }],
    [{}, { a: 'b' }],
  ],
  ['anything', [Field({ type: 'any' })], {}, ['a', 0, false, [], {}, [null]], []],
  [
    'several types',
    [Field({ type: ['string', 'integer'] })],
    { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ['a', '', 1],
    [1.5, true, []],
  ],
  ['several types that a rule narrows', [Field({ type: ['string', 'number'] }), IsInt()], { type: 'integer' }, [1], ['a', 1.5]],
  ['one type', [Field({ type: 'boolean' })], { type: 'boolean' }, [true], ['true', 1]],
  [
    'a class that contains itself',
    [Field({ type: () => Tree })],
    { $ref: '#/$defs/Tree' },
    [{ name: 'a' }, { name: 'a', children: [{ name: 'b', children: [] }] }],
    [{}, { name: '' }, { name: 'a', children: [{}] }, { name: 'a', children: [{ name: 'b', x: 1 }] }],
  ],
];
