import {
  ArrayContains,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotContains,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsDefined,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsString,
} from 'class-validator';

import { Field } from '../../../src/index.ts';
import type { JsonSchema } from '../../../src/schema/json-schema.ts';
import { EACH, type Row } from './row.ts';

class Point {
  @IsInt() x!: number;
}

const INTEGERS = { type: 'array', items: { type: 'integer' } } as const;
const POINT: JsonSchema = {
  type: 'object',
  properties: { x: { type: 'integer' } },
  required: ['x'],
  additionalProperties: false,
};

export const ARRAYS: readonly Row[] = [
  [
    'IsArray of strings',
    [IsArray(), IsString(EACH)],
    { type: 'array', items: { type: 'string' } },
    [[], ['a', 'b']],
    ['a', [1], ['a', null], { 0: 'a' }],
  ],
  ['IsString of each', [IsString(EACH)], { type: 'array', items: { type: 'string' } }, [[], ['a']], ['a', [['a']]]],
  ['IsArray of each', [IsArray(EACH)], { type: 'array', items: { type: 'array' } }, [[], [[]], [['a', [1]]]], [['a'], {}]],
  ['IsObject of each', [IsObject(EACH)], { type: 'array', items: { type: 'object' } }, [[], [{}, { a: 1 }]], [['a'], [[]]]],
  [
    'ArrayMinSize',
    [IsInt(EACH), ArrayMinSize(2)],
    { ...INTEGERS, minItems: 2 },
    [
      [1, 2],
      [1, 1, 1],
    ],
    [[], [1]],
  ],
  ['ArrayMaxSize', [IsInt(EACH), ArrayMaxSize(2)], { ...INTEGERS, maxItems: 2 }, [[], [1, 2]], [[1, 2, 3]]],
  ['ArrayMaxSize of none', [IsInt(EACH), ArrayMaxSize(0)], { ...INTEGERS, maxItems: 0 }, [[]], [[1]]],
  [
    'ArrayMinSize and ArrayMaxSize',
    [IsInt(EACH), ArrayMinSize(1), ArrayMaxSize(2)],
    { ...INTEGERS, minItems: 1, maxItems: 2 },
    [[1], [1, 2]],
    [[], [1, 2, 3]],
  ],
  ['ArrayNotEmpty', [IsInt(EACH), ArrayNotEmpty()], { ...INTEGERS, minItems: 1 }, [[1]], [[]]],
  [
    'ArrayNotEmpty and ArrayMinSize',
    [IsInt(EACH), ArrayNotEmpty(), ArrayMinSize(2)],
    { ...INTEGERS, minItems: 2 },
    [[1, 2]],
    [[1]],
  ],
  ['IsNotEmpty, of which an array knows nothing', [IsInt(EACH), IsNotEmpty()], INTEGERS, [[], [1]], ['']],
  ['ArrayUnique', [IsInt(EACH), ArrayUnique()], { ...INTEGERS, uniqueItems: true }, [[], [1, 2]], [[1, 1]]],
  [
    'ArrayUnique of strings by an identifier',
    [IsString(EACH), ArrayUnique((text: string) => text.toLowerCase())],
    { type: 'array', items: { type: 'string' }, uniqueItems: true },
    [['a', 'b']],
    [
      ['a', 'A'],
      ['a', 'a'],
    ],
  ],
  [
    'ArrayUnique of objects, which are never the same',
    [IsObject(EACH), ArrayUnique()],
    { type: 'array', items: { type: 'object' } },
    [
      [{}, {}],
      [{ a: 1 }, { a: 1 }],
    ],
    [[1]],
  ],
  [
    'ArrayUnique of objects by an identifier',
    [IsArray(), Field({ type: () => Point }), ArrayUnique(({ x }: Point) => x)],
    { type: 'array', items: POINT },
    [[{ x: 1 }, { x: 2 }]],
    [[{ x: 1 }, { x: 1 }]],
  ],
  [
    'ArrayUnique of anything',
    [IsArray(), Field({ type: 'any' }), ArrayUnique()],
    { type: 'array', items: {} },
    [
      [[], []],
      [1, '1'],
    ],
    [[1, 1]],
  ],
  ['ArrayContains', [IsInt(EACH), ArrayContains([1])], { ...INTEGERS, contains: { const: 1 } }, [[1], [2, 1]], [[], [2]]],
  [
    'ArrayContains of two',
    [IsInt(EACH), ArrayContains([1, 2])],
    { ...INTEGERS, contains: { const: 1 }, allOf: [{ contains: { const: 2 } }] },
    [[2, 1]],
    [[1], [2]],
  ],
  ['ArrayContains of nothing', [IsInt(EACH), ArrayContains([])], INTEGERS, [[], [1]], ['a']],
  [
    'ArrayContains of an object, which nothing that is sent is',
    [IsObject(EACH), ArrayContains([{}])],
    { type: 'array', items: { type: 'object' } },
    [],
    [[], [{}]],
  ],
  ['ArrayNotContains, without a keyword', [IsInt(EACH), ArrayNotContains([1])], INTEGERS, [[], [2]], [[1], [2, 1]]],
  [
    'IsDefined of each',
    [IsArray(), Field({ type: 'any' }), IsDefined(EACH)],
    { type: 'array', items: {} },
    [[], [0, '']],
    [[null]],
  ],
  [
    'anything in an array',
    [IsArray(), Field({ type: 'any' })],
    { type: 'array', items: {} },
    [[], [null, 1, 'a', [null], { a: null }]],
    ['a', {}],
  ],
  [
    'several types in an array',
    [IsArray(), Field({ type: ['string', 'number', 'boolean', 'null'] })],
    { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] } },
    [[], ['a', 1.5, true, null]],
    [[[]], [{}], 'a'],
  ],
  [
    'one type in an array',
    [IsArray(), Field({ type: 'string' })],
    { type: 'array', items: { type: 'string' } },
    [[], ['a']],
    [[1], [null]],
  ],
  [
    'arrays in an array',
    [IsArray(), Field({ type: 'array' })],
    { type: 'array', items: { type: 'array' } },
    [[], [[1, null]]],
    [[1]],
  ],
  [
    'types in an array that a rule narrows',
    [IsString(EACH), Field({ type: ['string', 'number'] })],
    { type: 'array', items: { type: 'string' } },
    [['a']],
    [[1]],
  ],
  [
    'objects of a class in an array',
    [IsArray(), Field({ type: () => Point })],
    { type: 'array', items: POINT },
    [[], [{ x: 1 }]],
    [[{}], [{ x: 'a' }], [null], { x: 1 }],
  ],
  [
    'maps in an array',
    [IsArray(), Field({ values: 'integer' })],
    { type: 'array', items: { type: 'object', additionalProperties: { type: 'integer' } } },
    [[], [{ a: 1 }, {}]],
    [[{ a: 'b' }], [1]],
  ],
];
