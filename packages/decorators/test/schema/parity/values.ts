import { Equals, IsBoolean, IsEmpty, IsEnum, IsIn, IsInt, IsNotIn, IsNumber, IsString, NotEquals } from 'class-validator';

import { Field } from '../../../src/index.ts';
import { EACH, type Row } from './row.ts';

// Enums as TypeScript compiles them; numbers map back to names.
const Order = { Oldest: 0, Newest: 1, 0: 'Oldest', 1: 'Newest' };
const Offset = { Below: -1, Above: 1.5, '-1': 'Below', '1.5': 'Above' };
const Format = { Plain: 'plain', Markdown: 'markdown' };
const Mixed = { Off: 0, On: 'on', 0: 'Off' };
const Factor = { '2fa': 'two-factor', None: 'none' };
const Crossed = { a: 'b', b: 'a' };

const LEVELS = { type: 'string', enum: ['low', 'high'] } as const;

export const LISTED: readonly Row[] = [
  ['IsIn of strings', [IsIn(['a', 'b'])], { type: 'string', enum: ['a', 'b'] }, ['a', 'b'], ['c', 'A', ['a']]],
  ['IsIn of integers', [IsIn([1, 2])], { type: 'integer', enum: [1, 2] }, [1, 2], [3, '1']],
  ['IsIn of numbers', [IsIn([1, 2.5])], { type: 'number', enum: [1, 2.5] }, [1, 2.5], [2]],
  ['IsIn of booleans', [IsIn([true])], { type: 'boolean', enum: [true] }, [true], [false]],
  ['IsIn of several types', [IsIn(['auto', 1, 2])], { enum: ['auto', 1, 2] }, ['auto', 1], ['1', 3, true]],
  ['IsIn of three types', [IsIn([true, 'auto', 0.5])], { enum: [true, 'auto', 0.5] }, [true, 0.5], [false, 'true']],
  ['IsIn with a type', [IsNumber(), IsIn([1, 2])], { type: 'integer', enum: [1, 2] }, [1], [3]],
  ['IsIn of the same twice', [IsIn(['a', 'a'])], { type: 'string', enum: ['a'] }, ['a'], ['b']],
  ['IsIn of nothing', [IsString(), IsIn([])], { type: 'string' }, [], ['', 'a']],
  ['IsIn of what JSON has not', [IsIn([undefined, 'a', Number.NaN])], { type: 'string', enum: ['a'] }, ['a'], ['b']],
  ['IsIn of null, which is not advertised', [IsIn([null, 'a'])], { type: 'string', enum: ['a'] }, ['a'], ['null']],
  ['IsIn of objects, which JSON cannot equal', [IsString(), IsIn([{}, 'a'])], { type: 'string', enum: ['a'] }, ['a'], ['b', {}]],
  [
    'IsIn twice',
    [IsIn(['a', 'b']), IsIn(['b', 'c'])],
    { type: 'string', enum: ['b', 'c'], allOf: [{ enum: ['a', 'b'] }] },
    ['b'],
    ['a', 'c'],
  ],
  [
    'IsIn of each',
    [IsIn(['a', 'b'], EACH)],
    { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    [[], ['a', 'a']],
    [['c'], 'a'],
  ],
  [
    'IsIn with titles',
    [IsIn(['low', 'high']), Field({ titles: { low: 'Low', high: 'High' } })],
    {
      type: 'string',
      oneOf: [
        { const: 'low', title: 'Low' },
        { const: 'high', title: 'High' },
      ],
    },
    ['low', 'high'],
    ['Low', ''],
  ],
  [
    'IsIn with a title for one value',
    [IsIn([1, 2]), Field({ titles: { 1: 'One' } })],
    {
      type: 'integer',
      oneOf: [
        { const: 1, title: 'One' },
        { const: 2, title: '2' },
      ],
    },
    [1, 2],
    [3],
  ],
  [
    'IsIn of each with titles',
    [IsIn(['low', 'high'], EACH), Field({ titles: { low: 'Low' } })],
    {
      type: 'array',
      items: {
        type: 'string',
        anyOf: [
          { const: 'low', title: 'Low' },
          { const: 'high', title: 'high' },
        ],
      },
    },
    [[], ['low', 'high']],
    [['Low']],
  ],
  [
    'IsIn with titles, of what every object has',
    [IsIn(['constructor']), Field({ titles: {} })],
    { type: 'string', oneOf: [{ const: 'constructor', title: 'constructor' }] },
    ['constructor'],
    ['toString'],
  ],
  [
    'Equals with a title',
    [Equals('a'), Field({ titles: { a: 'A' } })],
    { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
    ['a'],
    ['A'],
  ],
  ['IsEnum of strings', [IsEnum(Format)], { type: 'string', enum: ['plain', 'markdown'] }, ['plain'], ['Plain', '']],
  ['IsEnum of numbers, which stay numbers', [IsEnum(Order)], { type: 'integer', enum: [0, 1] }, [0, 1], ['Oldest', '0', 2]],
  ['IsEnum of numbers that are no positions', [IsEnum(Offset)], { type: 'number', enum: [-1, 1.5] }, [-1, 1.5], ['Below', '-1']],
  ['IsEnum of numbers and strings', [IsEnum(Mixed)], { enum: [0, 'on'] }, [0, 'on'], ['Off', '0', 'On']],
  [
    'IsEnum with a name that begins with a digit',
    [IsEnum(Factor)],
    { type: 'string', enum: ['two-factor', 'none'] },
    ['two-factor', 'none'],
    ['2fa'],
  ],
  ['IsEnum whose values are names too', [IsEnum(Crossed)], { type: 'string', enum: ['b', 'a'] }, ['a', 'b'], ['c']],
  [
    'IsEnum of each',
    [IsEnum(Order, EACH)],
    { type: 'array', items: { type: 'integer', enum: [0, 1] } },
    [[], [1, 0]],
    [['Newest'], [2]],
  ],
  ['IsEnum with a type', [IsInt(), IsEnum(Order)], { type: 'integer', enum: [0, 1] }, [0], [5]],
  ['Equals of a string', [IsString(), Equals('a')], { type: 'string', const: 'a' }, ['a'], ['b', '']],
  ['Equals of a number', [Equals(1.5)], { type: 'number', const: 1.5 }, [1.5], [1, '1.5']],
  ['Equals of false', [Equals(false)], { type: 'boolean', const: false }, [false], [true, 0]],
  ['Equals of zero', [IsInt(), Equals(0)], { type: 'integer', const: 0 }, [0, -0], [1]],
  ['Equals of what JSON has not', [IsString(), Equals(undefined)], { type: 'string' }, [], ['a']],
  ['Equals of each', [Equals('a', EACH)], { type: 'array', items: { type: 'string', const: 'a' } }, [[], ['a']], [['b']]],
  ['NotEquals', [IsString(), NotEquals('a')], { type: 'string', not: { const: 'a' } }, ['', 'b'], ['a']],
  ['NotEquals of zero', [IsInt(), NotEquals(0)], { type: 'integer', not: { const: 0 } }, [1], [0, -0]],
  ['NotEquals of an object, which nothing that is sent is', [IsString(), NotEquals({})], { type: 'string' }, ['a'], [{}]],
  [
    'NotEquals twice',
    [IsString(), NotEquals('a'), NotEquals('b')],
    { type: 'string', not: { const: 'b' }, allOf: [{ not: { const: 'a' } }] },
    ['c'],
    ['a', 'b'],
  ],
  ['IsNotIn', [IsString(), IsNotIn(['a', 'b'])], { type: 'string', not: { enum: ['a', 'b'] } }, ['c', ''], ['a', 'b']],
  ['IsNotIn of what JSON has not', [IsString(), IsNotIn([undefined, {}])], { type: 'string' }, ['a'], [1]],
  [
    'IsNotIn of each',
    [IsInt(EACH), IsNotIn([1], EACH)],
    { type: 'array', items: { type: 'integer', not: { enum: [1] } } },
    [[], [2]],
    [[2, 1]],
  ],
  [
    'IsIn and NotEquals',
    [IsIn(['low', 'high']), NotEquals('low')],
    { ...LEVELS, enum: ['low', 'high'], not: { const: 'low' } },
    ['high'],
    ['low'],
  ],
  ['IsEmpty, without a keyword', [IsString(), IsEmpty()], { type: 'string' }, [''], ['a', ' ']],
  ['IsBoolean and Equals', [IsBoolean(), Equals(true)], { type: 'boolean', const: true }, [true], [false]],
];
