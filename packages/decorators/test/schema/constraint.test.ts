import {
  ArrayMaxSize,
  ArrayUnique,
  IsByteLength,
  IsEmail,
  IsEnum,
  IsInt,
  IsNotEmptyObject,
  IsNumber,
  IsObject,
  IsString,
  Length,
  Matches,
  MaxLength,
  MinLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Field } from '../../src/index.ts';
import { declared, refusals, type FieldDecorator } from './fixtures/declared.ts';

const EACH = { each: true };

/** For texts such as `LONG`, the time for matching grows exponentially with the length. */
const ENDLESS = /^(a+)+$/;
const LONG = `${'a'.repeat(5000)}!`;

const Order = { Oldest: 0, Newest: 1, 0: 'Oldest', 1: 'Newest' };

describe('a validator that throws for some values', () => {
  it.each<[string, readonly FieldDecorator[], unknown, string]>([
    ['half a surrogate pair, counted in bytes', [IsString(), IsByteLength(0, 9)], '\uD800', "value's byte length must fall"],
    ['half a surrogate pair in an e-mail address', [IsString(), IsEmail()], 'a\uD800@example.org', 'must be an email'],
    ['a number without decimal point', [IsNumber({ maxDecimalPlaces: 2 })], 1e-7, 'must be a number conforming'],
    ['an element without decimal point', [IsNumber({ maxDecimalPlaces: 2 }, EACH)], [1e-7], 'must be a number conforming'],
  ])('rejects such a value: %s', (_, decorators, value, expected) => {
    const [line, ...others] = refusals(declared(decorators), { value });
    expect(line).toContain(expected);
    expect(others).toEqual([]);
  });

  it('finds a duplicate among a million elements quickly', () => {
    const many = Array.from({ length: 1_000_000 }, (_, position) => position);
    const [unique, twice] = [{ value: many }, { value: [...many, 0] }];
    expect(refusals(declared([IsInt(EACH), ArrayUnique()]), unique)).toEqual([]);
    expect(refusals(declared([IsInt(EACH), ArrayUnique()]), twice)).toEqual(["value: All value's elements must be unique"]);
    expect(refusals(declared([IsInt(EACH), ArrayUnique((number: number) => -number)]), unique)).toEqual([]);
  });

  it('accepts objects with any property names', () => {
    expect(refusals(declared([IsObject(), IsNotEmptyObject()]), { value: { hasOwnProperty: 1 } })).toEqual([]);
    expect(refusals(declared([IsNotEmptyObject({ nullable: false })]), { value: { hasOwnProperty: null } })).toEqual([
      'value: must be a non-empty object',
    ]);
  });

  const strict = ValidateBy({
    name: 'strict',
    validator: {
      validate: (_, given) => {
        if (given !== undefined && !('low' in given.object)) throw new TypeError('there is no low');
        return true;
      },
    },
  });

  it('is ignored if it may have read a rejected property', () => {
    class Range {
      @IsInt() low!: number;
      @IsInt() @strict high!: number;
    }
    expect(refusals(Range, { low: 'a', high: 1 })).toEqual(['low: expected an integer, got a string']);
  });

  it('is a mistake otherwise, and throws', () => {
    class Lone {
      @IsInt() @strict high!: number;
    }
    expect(() => refusals(Lone, { high: 1 })).toThrow('there is no low');
  });
});

describe('an enum of numbers', () => {
  it('rejects its names', () => {
    expect(refusals(declared([IsEnum(Order)]), { value: 'Oldest' })).toEqual(['value: expected an integer, got a string']);
  });
});

describe('a limit of length', () => {
  const TOO_LONG = 'must be shorter than or equal to 30 characters';

  it.each<[string, readonly FieldDecorator[], unknown, readonly string[]]>([
    ['limit below the pattern', [Matches(ENDLESS), MaxLength(30)], LONG, [`value: ${TOO_LONG}`]],
    ['limit above the pattern', [MaxLength(30), Matches(ENDLESS)], LONG, [`value: ${TOO_LONG}`]],
    ['limit by @Length', [Matches(ENDLESS), Length(1, 30)], LONG, [`value: ${TOO_LONG}`]],
    ['limit for each element', [Matches(ENDLESS, EACH), MaxLength(30, EACH)], ['a', LONG], [`value.1: ${TOO_LONG}`]],
    [
      'limit in bytes',
      [Matches(ENDLESS), IsByteLength(0, 30)],
      LONG,
      ["value: value's byte length must fall into (0, 30) range"],
    ],
    [
      'limit on the number of elements',
      [Matches(ENDLESS, EACH), ArrayMaxSize(1)],
      [LONG, LONG],
      ['value: must contain no more than 1 elements'],
    ],
  ])('prevents matching a text that is too long, in any order of decorators: %s', (_, decorators, value, expected) => {
    expect(refusals(declared(decorators), { value })).toEqual(expected);
  });

  it('applies the other rules to a short text', () => {
    expect(refusals(declared([Matches(/^b/), Length(2, 4)]), { value: 'a' })).toEqual([
      'value: must be longer than or equal to 2 characters',
      'value: must match /^b/ regular expression',
    ]);
  });

  it('prevents reading a list that is too long, even of objects', () => {
    class Edit {
      @IsString() @MinLength(1) text!: string;
    }
    const edits = [Field({ type: () => Edit }), ValidateNested(EACH), ArrayMaxSize(1)];
    expect(refusals(declared(edits), { value: [{}, {}] })).toEqual(['value: must contain no more than 1 elements']);
  });
});
