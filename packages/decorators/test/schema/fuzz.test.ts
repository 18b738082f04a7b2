import {
  ArrayMaxSize,
  ArrayUnique,
  Contains,
  Equals,
  IsArray,
  IsBoolean,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsIP,
  IsNotEmpty,
  IsNotEmptyObject,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  Min,
  NotEquals,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ClassSchema, Field, type Constructor } from '../../src/index.ts';
import { toPortablePattern } from '../../src/schema/rule-schemas.ts';
import { advertised } from './fixtures/json-schema-validator.ts';
import { prototypes } from './fixtures/prototypes.ts';

const EACH = { each: true };
const Order = { Oldest: 0, Newest: 1, 0: 'Oldest', 1: 'Newest' };

class Text {
  @IsOptional() @IsString() @Length(1, 3) a?: string;
  @IsOptional() @IsString() @Matches(/^[^/]+$/) b?: string;
  @IsOptional() @IsString() @IsNotEmpty() @Contains('a') @NotEquals('a') c?: string;
  @IsOptional() @IsEmail() @IsString() d?: string;
  @IsOptional() @IsUUID() e?: string;
  @IsOptional() @IsIP() f?: string;
}
class Numbers {
  @IsOptional() @IsNumber({ maxDecimalPlaces: 2 }) @Min(-5) a?: number;
  @IsOptional() @IsInt() @IsPositive() @Max(9) b?: number;
  @IsOptional() @IsEnum(Order) c?: number;
  @IsOptional() @IsIn([1, 'a', true]) d?: unknown;
  @ValidateIf(({ b }: Numbers) => b === 1) @IsBoolean() e?: boolean;
}
class Lists {
  @IsOptional() @IsInt(EACH) @ArrayUnique() a?: number[];
  @IsOptional() @IsString(EACH) @ArrayMaxSize(2) b?: string[];
  @Field({ type: ['string', 'number', 'null'] }) @IsOptional() @IsArray() c?: unknown[];
  @Field({ type: 'any' }) @IsOptional() @IsArray() d?: unknown[];
}
class Circle {
  @Equals('a') a = 'a';
  @IsOptional() @IsInt() b?: number;
}
class Square {
  @IsIn(['b', 'c']) a!: string;
  @IsOptional() @IsObject() @IsNotEmptyObject() b?: object;
}
class Tree {
  @Field({ type: () => Tree }) @IsOptional() @ValidateNested(EACH) a?: Tree[];
  @Field({ oneOf: () => [Circle, Square], discriminator: 'a' }) @IsOptional() b?: object;
  @Field({ values: () => Tree }) @IsOptional() c?: object;
  @Field({ values: 'any' }) @IsOptional() @IsNotEmptyObject() d?: object;
  @Field({ type: () => Numbers }) @IsOptional() @ValidateNested() e?: Numbers;
}
const CLASSES: readonly Constructor[] = [Text, Numbers, Lists, Circle, Square, Tree];
const TABLE = CLASSES.map((target) => [target.name, target] as const);

const DECLARED = ['a', 'b', 'c', 'd', 'e', 'f'];
const UNKNOWN = ['x', '', '0', 'length', 'then', 'toJSON'];
const HOSTILE = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'isPrototypeOf',
  'toString',
  'valueOf',
  '__defineGetter__',
  '__lookupSetter__',
];
const name = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...DECLARED) },
  fc.constantFrom(...UNKNOWN),
  fc.constantFrom(...HOSTILE),
);
const leaf = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', 1, true) },
  fc.constantFrom('', 'a', 'b', 'ab', 'a/b', '😀', '\uD800', '❤\uFE0F', 'a@b.org', '::1', 'Oldest', 'true', '1'),
  fc.constantFrom(0, -0, 1, 9, 10, 1e-7, 19.99, -5, 1e21, true, false),
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/**
 * Generates any JSON value, or any JSON object. Each value is parsed from text, so that every name is an own property, as in a
 * message.
 */
function json(leaves: fc.Arbitrary<unknown>, kind: 'value' | 'object'): fc.Arbitrary<unknown> {
  const texts = fc.letrec<{ value: string; object: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, depthSize: 'medium', withCrossShrink: true },
      leaves.map((given) => JSON.stringify(given)),
      tie('object'),
      fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join()}]`),
    ),
    object: fc
      .array(fc.tuple(name, tie('value')), { maxLength: 3 })
      .map((entries) => `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${item}`).join()}}`),
  }));
  return texts[kind].map((text): unknown => JSON.parse(text));
}

describe('any JSON value, with hostile names,', () => {
  it.each(TABLE)('is read to an instance or issues, and changes no prototype: %s', (_, target) => {
    const schema = ClassSchema.of(target);
    const before = prototypes(...CLASSES);
    fc.assert(
      fc.property(json(fc.oneof(leaf, fc.constant(null)), 'value'), fc.boolean(), (value, strings) => {
        const { value: instance, issues = [] } = schema.parse(value, { strings });
        expect(instance?.constructor === target).toBe(issues.length === 0);
      }),
      { numRuns: 2_000 },
    );
    expect(prototypes(...CLASSES)).toEqual(before);
  });
});

describe('any accepted value', () => {
  it.each(TABLE)('matches the advertised schema, before and after projection: %s', (_, target) => {
    const schema = ClassSchema.of(target);
    expect(schema.problems).toEqual([]);
    const isAdvertised = advertised(schema.input);
    const isSent = advertised(schema.output);
    let accepted = 0;
    fc.assert(
      fc.property(json(leaf, 'object'), (value) => {
        const { value: instance } = schema.parse(value);
        if (instance === undefined) return;
        accepted += Math.min(1, Object.keys(Object(value)).length);
        expect([value, isAdvertised(value)]).toEqual([value, true]);
        const { value: projected, issues } = schema.project(instance);
        expect([value, issues]).toEqual([value, undefined]);
        const sent: unknown = JSON.parse(JSON.stringify(projected));
        expect([sent, isSent(sent)]).toEqual([sent, true]);
      }),
      { numRuns: 12_000 },
    );
    expect(accepted).toBeGreaterThan(8);
  });
});

describe('an advertised pattern', () => {
  const atom = fc.constantFrom(
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    '\\w',
    '\\S',
    '\\D',
    '\\d',
    '\\b',
    '\\B',
    '(a|.)',
    '(?:b.)',
    '(?!a)',
    '(?=.)',
    'x|',
  );
  const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '{0,3}', '+?');
  const source = fc
    .tuple(
      fc.constantFrom('', '^'),
      fc.array(fc.tuple(atom, quantifier), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', '$'),
    )
    .map(([start, atoms, end]) => start + atoms.flat().join('') + end)
    .filter((text) => isExpression(text));
  const text = fc
    .array(fc.constantFrom('a', 'b', ' ', '1', '😀', '\uD83D', '\uDE00'), { maxLength: 5 })
    .map((parts) => parts.join(''));

  it('accepts every text that the expression accepts', () => {
    let portable = 0;
    fc.assert(
      fc.property(source, fc.array(text, { minLength: 5, maxLength: 20 }), (given, texts) => {
        const pattern = toPortablePattern(new RegExp(given), undefined);
        if (pattern === undefined) return;
        portable += 1;
        const refused = texts.filter((each) => new RegExp(given).test(each) && !new RegExp(pattern, 'u').test(each));
        expect([given, refused]).toEqual([given, []]);
      }),
      { numRuns: 5_000 },
    );
    expect(portable).toBeGreaterThan(500);
  });

  function isExpression(given: string): boolean {
    try {
      return new RegExp(given).source === given;
    } catch {
      return false;
    }
  }
});
