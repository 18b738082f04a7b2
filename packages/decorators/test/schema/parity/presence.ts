import {
  ArrayMaxSize,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
} from 'class-validator';

import { Field } from '../../../src/index.ts';
import { EACH, type Row } from './row.ts';

const always = { validateIf: () => true };
const never = { validateIf: () => false };

/** Rows for rules about absent properties. The value `undefined` stands for an absent property. */
export const PRESENCE: readonly Row[] = [
  ['a required property', [IsString()], { type: 'string' }, ['a'], [undefined]],
  ['a required property of any type', [Field({ type: 'any' })], {}, ['a'], [undefined]],
  ['IsDefined', [IsString(), IsDefined()], { type: 'string' }, ['a'], [undefined]],
  ['IsOptional', [IsOptional(), IsString(), MinLength(2)], { type: 'string', minLength: 2 }, [undefined, 'ab'], ['a', 1]],
  ['IsOptional of an array', [IsOptional(), IsInt(EACH)], { type: 'array', items: { type: 'integer' } }, [undefined, []], [1]],
  [
    'ValidateIf that holds',
    [ValidateIf(() => true), IsString(), MaxLength(2)],
    { type: 'string' },
    ['', 'ab'],
    [undefined, 'abc', 1],
  ],
  [
    'ValidateIf that does not hold',
    [ValidateIf(() => false), IsString(), MaxLength(2)],
    { type: 'string' },
    [undefined, 'abc'],
    [1],
  ],
  ['ValidateIf of listed values', [ValidateIf(() => false), IsIn(['a'])], { type: 'string' }, [undefined, 'a', 'b'], [1]],
  [
    'ValidateIf of each',
    [ValidateIf(() => true), IsInt(EACH), Min(1, EACH)],
    { type: 'array', items: { type: 'integer' } },
    [[1]],
    [[0], undefined],
  ],
  [
    'ValidateIf of a long array',
    [ValidateIf(() => false), IsInt(EACH), ArrayMaxSize(1)],
    { type: 'array', items: { type: 'integer' } },
    [[1, 2], undefined],
    [['a'], 1],
  ],
  [
    'a limit of an array under a condition',
    [IsInt(EACH), ArrayMaxSize(1, never)],
    { type: 'array', items: { type: 'integer' } },
    [[1, 2]],
    [1],
  ],
  [
    'ValidateIf and IsOptional',
    [ValidateIf(() => true), IsOptional(), IsInt(), Max(9)],
    { type: 'integer' },
    [undefined, 9],
    [10],
  ],
  [
    'two ValidateIf, which must both hold',
    [ValidateIf(() => true), ValidateIf(() => false), IsInt(), Max(9)],
    { type: 'integer' },
    [undefined, 10],
    ['a'],
  ],
  ['a rule under a condition that holds', [IsInt(), Min(1, always), Max(9)], { type: 'integer', maximum: 9 }, [1, 9], [0, 10]],
  [
    'a rule under a condition that does not hold',
    [IsInt(), Min(1, never), Max(9)],
    { type: 'integer', maximum: 9 },
    [0, 9],
    [10],
  ],
];
