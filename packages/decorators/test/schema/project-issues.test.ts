import {
  ArrayMaxSize,
  Contains,
  Equals,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ClassSchema, Field, type Constructor } from '../../src/index.ts';
import { lines } from './fixtures/declared.ts';

const EACH = { each: true };

class Line {
  @IsInt() @Min(1) count!: number;
}
class Circle {
  @Equals('circle') kind!: 'circle';
  @IsInt() radius!: number;
}
class Square {
  @Equals('square') kind!: 'square';
  @IsInt() width!: number;
}
class Report {
  @IsString() @MinLength(2) @MaxLength(4) title!: string;
  @IsOptional() @IsInt() @Min(0) @Max(9) words?: number;
  @IsOptional() @IsNumber({ maxDecimalPlaces: 2 }) share?: number;
  @IsOptional() @IsBoolean() done?: boolean;
  @IsOptional() @IsIn(['asc', 'desc']) order?: string;
  @IsOptional() @IsString() @Matches(/^a/) @Contains('b') pattern?: string;
  @IsOptional() @IsString(EACH) @MaxLength(2, EACH) @ArrayMaxSize(2) tags?: string[];
  @Field({ type: () => Line }) @IsOptional() @ValidateNested() first?: Line;
  @Field({ type: () => Line }) @IsOptional() @IsArray() @ValidateNested() lines?: Line[];
  @Field({ oneOf: () => [Circle, Square], discriminator: 'kind' }) @IsOptional() shape?: Circle | Square;
  @Field({ values: () => Line }) @IsOptional() byName?: Record<string, Line>;
  @Field({ values: 'integer' }) @IsOptional() counts?: Record<string, number>;
  @Field({ type: ['string', 'null'] }) @IsOptional() note?: string | null;
  @Field({ type: 'any' }) @IsOptional() anything?: unknown;
  @IsOptional() @IsObject() extra?: object;
}

function issuesOf(target: Constructor, value: object): readonly string[] {
  return lines(ClassSchema.of(target).project(value).issues ?? []);
}

describe('a value that a method returned for its output class', () => {
  it.each<[string, object, string]>([
    ['an absent property', { title: undefined }, 'title: is required'],
    ['null', { title: null }, 'title: expected a string, got null'],
    ['null for an optional property', { words: null }, 'words: expected an integer, got null'],
    ['another type', { title: 5 }, 'title: expected a string, got 5'],
    ['a text that is too short', { title: 'a' }, 'title: must be longer than or equal to 2 characters'],
    ['a text that is too long', { title: 'abcde' }, 'title: must be shorter than or equal to 4 characters'],
    ['a number that is too small', { words: -1 }, 'words: must not be less than 0'],
    ['a number that is too large', { words: 10 }, 'words: must not be greater than 9'],
    ['a fraction', { words: 1.5 }, 'words: expected an integer, got 1.5'],
    ['NaN', { words: Number.NaN }, 'words: expected an integer, got NaN'],
    ['too many decimal places', { share: 0.123 }, 'share: must be a number conforming to the specified constraints'],
    ['a bigint', { words: 3n }, 'words: expected an integer, got a bigint'],
    ['a text for a boolean', { done: 'yes' }, 'done: expected a boolean, got a string'],
    ['a value that is not listed', { order: 'up' }, 'order: must be one of the following values: asc, desc'],
    ['a text that does not match', { pattern: 'b' }, 'pattern: must match /^a/ regular expression'],
    ['a text for a list', { tags: 'a' }, 'tags: expected an array, got a string'],
    ['too many items', { tags: ['a', 'b', 'c'] }, 'tags: must contain no more than 2 elements'],
    ['an item of another type', { tags: ['a', 1] }, 'tags.1: expected a string, got 1'],
    ['an item that is too long', { tags: ['abc'] }, 'tags.0: must be shorter than or equal to 2 characters'],
    ['an absent item', { tags: [undefined] }, 'tags.0: expected a string, got nothing'],
    ['a text for an object', { first: 'a' }, 'first: expected an object, got a string'],
    ['a list for an object', { first: [{ count: 1 }] }, 'first: expected an object, got an array'],
    ['a rule of a nested object', { first: { count: 0 } }, 'first.count: must not be less than 1'],
    ['a rule of a listed object', { lines: [{ count: 1 }, { count: 'a' }] }, 'lines.1.count: expected an integer, got a string'],
    ['an object that no union contains', { shape: { kind: 'x' } }, 'shape.kind: expected one of "circle", "square", got "x"'],
    ['an object without discriminator', { shape: {} }, 'shape.kind: expected one of "circle", "square", got nothing'],
    ['a member of a union', { shape: { kind: 'circle' } }, 'shape.radius: is required'],
    ['a value of a map', { byName: { a: {} } }, 'byName.a.count: is required'],
    ['a number in a map', { counts: { a: 'b' } }, 'counts.a: expected an integer, got a string'],
    ['a Map', { counts: new Map([['a', 1]]) }, 'counts: expected an object, got a Map'],
    ['a Set', { tags: new Set(['a']) }, 'tags: expected an array, got a Set'],
    ['a function', { title: () => 'a' }, 'title: expected a string, got a function'],
  ])('is rejected with its path and rule: %s', (_, change, expected) => {
    expect(issuesOf(Report, { title: 'abc', ...change })).toEqual([expected]);
  });

  it.each<[string, object]>([
    ['limits', { title: '🌍🌍🌍🌍', words: 9, share: 0.12, tags: ['🌍🌍', 'b'] }],
    ['absent properties', { words: undefined, counts: { a: undefined } }],
    ['null where it is a value', { note: null, anything: null }],
    ['free-form values', { anything: { a: [1] }, extra: { b: null } }],
    ['a date for a string', { note: new Date(0) }],
  ])('is accepted with %s', (_, change) => {
    expect(issuesOf(Report, { title: 'abc', ...change })).toEqual([]);
  });

  it('has all its issues in one list', () => {
    expect(issuesOf(Report, { words: -1, lines: [{}, { count: 0 }] })).toEqual([
      'title: is required',
      'words: must not be less than 0',
      'lines.0.count: is required',
      'lines.1.count: must not be less than 1',
    ]);
  });

  it('has conditions that read the returned object', () => {
    class Address {
      @IsString() region!: string;
      @ValidateIf(({ region }: Address) => region !== 'eu') @IsString() @MinLength(3) taxNumber?: string;
    }
    expect(issuesOf(Address, { region: 'eu' })).toEqual([]);
    expect(issuesOf(Address, { region: 'eu', taxNumber: 'a' })).toEqual([]);
    expect(issuesOf(Address, { region: 'us' })).toEqual(['taxNumber: is required']);
    expect(issuesOf(Address, { region: 'us', taxNumber: 'a' })).toEqual([
      'taxNumber: must be longer than or equal to 3 characters',
    ]);
  });

  it('may omit a property with an initial value', () => {
    class Counted {
      @IsInt() count = 5;
    }
    expect(issuesOf(Counted, {})).toEqual([]);
    expect(issuesOf(Counted, { count: 'a' })).toEqual(['count: expected an integer, got a string']);
  });
});
