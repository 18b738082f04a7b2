import 'reflect-metadata';

import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ClassSchema, Field, type Constructor } from '../../src/index.ts';

const EACH = { each: true };

const Level = { low: 0, high: 1 } as const;
const Order = { up: 'asc', down: 'desc' } as const;
class Point {
  @IsInt() x!: number;
}

function problemsOf(target: Constructor): readonly string[] {
  return ClassSchema.of(target).problems;
}

describe('a rule that contradicts the declared type', () => {
  class A {
    @IsString() value!: number;
  }
  class B {
    @IsInt() value!: string;
  }
  class C {
    @IsBoolean() value!: string;
  }
  class D {
    @IsArray() @IsString(EACH) value!: string;
  }
  class E {
    @IsString(EACH) value!: string;
  }
  class F {
    @Field('Where', { type: () => Point }) @ValidateNested() value!: string;
  }
  class G {
    @Field('Where', { type: () => Point }) @ValidateNested() value!: Point[];
  }
  class H {
    @IsString() value!: string[];
  }
  class I {
    @IsString() value!: Date;
  }
  class J {
    @IsString(EACH) value!: Set<string>;
  }
  class K {
    @Field('Labels', { values: 'string' }) value!: Map<string, string>;
  }
  class L {
    @IsInt() value!: bigint;
  }
  class M {
    @Min(1) value?: string;
  }
  class N {
    @IsIn(['a', 'b']) value!: number;
  }
  class O {
    @IsEnum(Order) value!: number;
  }
  class P {
    @IsString() value!: Point;
  }
  class Q {
    @Field('Key', { type: ['string', 'integer'] }) value!: boolean;
  }

  it.each<[string, Constructor, string]>([
    ['a text', A, 'number, but its rules require a string; declare the property as string, or replace the rules by @IsNumber()'],
    [
      'an integer',
      B,
      'string, but its rules require an integer; declare the property as number, or replace the rules by @IsString()',
    ],
    ['a boolean', C, 'string, but its rules require a boolean; declare the property as boolean, or replace'],
    ['an array', D, 'string, but its rules require an array; declare the property as an array, or replace'],
    ['an array by its elements', E, 'string, but its rules require an array; declare'],
    ['an object', F, 'string, but its rules require an object; declare the property as a class or an object type, or replace'],
    ['one object instead of several', G, 'an array, but its rules require an object; declare'],
    [
      'one text instead of several',
      H,
      'an array, but its rules require a string; declare the property as string, or replace the rules',
    ],
    ['a text instead of a date', I, 'Date, but its rules require a string; declare the property as string'],
    ['an array instead of a set', J, 'Set, but its rules require an array; declare the property as an array'],
    ['an object instead of a map', K, 'Map, but its rules require an object; declare the property as a class or an object type'],
    ['an integer instead of a bigint', L, 'bigint, but its rules require an integer; declare the property as number'],
    ['a limit of numbers', M, 'string, but its rules require a number; declare the property as number'],
    ['a choice of texts', N, 'number, but its rules require a string; declare the property as string'],
    ['an enum of texts', O, 'number, but its rules require a string; declare the property as string'],
    ['a text instead of an object', P, 'Point, but its rules require a string; declare the property as string'],
    ['several types', Q, 'boolean, but its rules require a string or an integer; declare the property as string | number'],
  ])('is a mistake: %s', (_, target, expected) => {
    expect(problemsOf(target)).toEqual([expect.stringContaining(`${target.name}.value: is declared as ${expected}`)]);
  });

  it('is a mistake of the subclass that contradicts the type of its base class', () => {
    class Base {
      @IsOptional() value?: string;
    }
    class Sub extends Base {
      @IsInt() declare value?: never;
    }
    expect(problemsOf(Sub)).toEqual([
      expect.stringContaining('Sub.value: is declared as string, but its rules require an integer'),
    ]);
  });
});

describe('a declared type', () => {
  class Base {
    @IsString() name!: string;
    @IsOptional() @IsInt() limit?: number;
  }
  class Sub extends Base {
    @MaxLength(9) declare name: 'asc' | 'desc';
    @Min(1) declare limit: number;
  }
  class Fitting {
    @IsNumber() number!: number;
    @IsInt() integer?: number;
    @IsIn(['asc', 'desc']) literal!: 'asc' | 'desc';
    @IsIn([1, 2]) digit!: 1 | 2;
    @IsEnum(Level) level!: 0 | 1;
    @IsEnum(Order) order!: 'asc' | 'desc';
    @IsString(EACH) @ArrayMaxSize(9) tags!: readonly string[];
    @Field('Pair', { type: 'integer' }) @IsArray() pair!: [number, number];
    @Field('Where', { type: () => Point }) @ValidateNested() point!: Point;
    @Field('Where', { type: () => Point }) @ValidateNested(EACH) points!: Point[];
    @IsObject() record!: Record<string, unknown>;
    @Field('Labels', { values: 'string' }) labels!: Record<string, string>;
    @Field('Key', { type: ['string', 'integer'] }) key!: string | number;
    @Field('Maybe', { type: ['string', 'null'] }) nullable!: string | null;
    @Field('Anything', { type: 'any' }) anything!: Date;
    @IsInt() unknown!: unknown;
    @IsInt() initial = 5;
    @IsString() text = '';
  }

  it.each([Base, Sub, Fitting])('that the rules fit is no mistake: %o', (target) => {
    expect(problemsOf(target)).toEqual([]);
  });
});

describe('an emitted type that is not a class', () => {
  it.each<[string, unknown]>([
    ['the object of an imported enum', Order],
    ['the type of a type import', Function],
    ['the type of a union', Object],
    ['the type of undefined', undefined],
  ])('is ignored: %s', (_, emitted) => {
    class Input {
      value!: unknown;
    }
    IsString()(Input.prototype, 'value');
    Reflect.defineMetadata('design:type', emitted, Input.prototype, 'value');
    expect(problemsOf(Input)).toEqual([]);
  });
});
