import { ArrayMaxSize, IsArray, IsInt, IsOptional, IsString, Matches, Max, Min, ValidateIf } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Field } from '../../src/decorators/field.ts';
import { Flag, Integer, ListOf, ObjectOf, OneOf, Text, TextList } from '../../src/decorators/typed-fields.ts';
import { compilePlan } from '../../src/schema/compile-plan.ts';
import { readQuickly, UNSURE } from '../../src/schema/quick-reader.ts';
import { ValueReader } from '../../src/schema/value-reader.ts';

class Entry {
  @Text('Name', { maxLength: 5 }) name!: string;
  @Integer('Size', { min: 0, max: 9 }) size = 3;
  @Flag('Hidden') hidden = false;
}

class Listing {
  @Text('Path', { optional: true }) path?: string;
  @ListOf(() => Entry, 'Entries', { maxItems: 3 }) entries!: Entry[];
  @TextList('Tags', { optional: true, maxItems: 2 }) tags?: string[];
  @OneOf(['a', 'b'], 'Kind') kind = 'a';
  @ObjectOf(() => Entry, 'First', { optional: true }) first?: Entry;
  @Field('Any number') @IsOptional() @Min(-1) @Max(1) ratio?: number;
}

class WithPattern {
  @Field('Word') @IsString() @Matches(/^\w+$/) word!: string;
}

class WithCondition {
  @Flag('Whether there is a count') counts = false;
  @ValidateIf(({ counts }: WithCondition) => counts) @Field('Count') @IsInt() count!: number;
}

class WithAnything {
  @Field('Anything', { type: 'object' }) @IsOptional() anything?: object;
}

class Tree {
  @ListOf(() => Tree, 'Children', { optional: true }) children?: Tree[];
}

class WithSetter {
  set word(_: string) {
    throw new Error('must not be called');
  }
}
Text('Word')(WithSetter.prototype, 'word');

const NAMES = ['abc', '', 'abcdef', 1, null, undefined, ['a'], { a: 1 }];
const SIZES = [0, 9, 10, -1, 1.5, '1', Number.NaN, null, undefined];
const ENTRIES: readonly unknown[] = [
  ...NAMES.map((name) => ({ name })),
  ...SIZES.map((size) => ({ name: 'a', size })),
  { name: 'a', hidden: true },
  { name: 'a', hidden: 'true' },
  { name: 'a', other: 1 },
  { name: 'a', other: undefined },
  JSON.parse('{"name":"a","__proto__":{}}'),
  Object.create({ name: 'inherited' }),
  [],
  'a',
  null,
  undefined,
];
const LISTINGS: readonly unknown[] = [
  ...ENTRIES.map((entry) => ({ entries: [{ name: 'a' }, entry] })),
  ...ENTRIES.map((entry) => ({ entries: [], first: entry })),
  ...[[], ['a', 'b'], ['a', 'b', 'c'], ['a', 1], 'a', '["a"]', null].map((tags) => ({ entries: [], tags })),
  ...['a', 'c', null, 1].map((kind) => ({ entries: [], kind })),
  ...[0, 0.5, 2, '0', Number.POSITIVE_INFINITY].map((ratio) => ({ entries: [], ratio })),
  { entries: Array(3).fill({ name: 'a' }) },
  { entries: Array(4).fill({ name: 'a' }) },
  { entries: '[{"name":"a"}]' },
  {},
];

function read(plan: ReturnType<typeof compilePlan>, value: unknown, quotedJson: boolean): unknown {
  const reader = new ValueReader({ quotedJson });
  const instance = reader.read(plan, value);
  return instance === undefined ? reader.issues : instance;
}

describe('the quick reader', () => {
  it.each([
    ['entries', Entry, ENTRIES],
    ['listings', Listing, LISTINGS],
  ])('returns what the value reader returns for a valid value, and decides about no other one: %s', (_, target, values) => {
    const plan = compilePlan(target);
    let quickly = 0;
    for (const value of values) {
      const quick = readQuickly(plan, value);
      if (quick === UNSURE) continue;
      quickly += 1;
      for (const quotedJson of [false, true]) {
        const expected = read(plan, value, quotedJson);
        expect(expected).toBeInstanceOf(target);
        expect(quick).toEqual(expected);
        expect(quick).toBeInstanceOf(target);
      }
    }
    expect(quickly).toBeGreaterThan(5);
    expect(quickly).toBeLessThan(values.length / 2);
  });

  it('sets a property that the prototype has, too, without calling a setter', () => {
    expect(Object.entries(readQuickly(compilePlan(WithSetter), { word: 'a' }) as object)).toEqual([['word', 'a']]);
  });

  it('keeps initial values, and sets no property that is absent', () => {
    const quick = readQuickly(compilePlan(Listing), { entries: [{ name: 'a' }] });
    expect(Object.entries(quick as Listing)).toEqual(
      Object.entries(Object.assign(new Listing(), { entries: [Object.assign(new Entry(), { name: 'a' })] })),
    );
    expect((quick as Listing).entries[0]).toBeInstanceOf(Entry);
  });

  it.each([
    ['a pattern', WithPattern, { word: 'a' }],
    ['a condition', WithCondition, {}],
    ['a free-form value', WithAnything, { anything: [] }],
    ['recursion', Tree, { children: [{}] }],
  ])('leaves a value with %s to the value reader', (_, target, value) => {
    expect(readQuickly(compilePlan(target), value)).toBe(UNSURE);
  });

  it.each([
    ['free-form values', WithAnything],
    ['recursion', Tree],
  ])('reads a value without the property for %s', (_, target) => {
    expect(readQuickly(compilePlan(target), {})).toEqual(read(compilePlan(target), {}, false));
  });

  it('reads an array with a limit of class-validator', () => {
    class Numbers {
      @Field('Numbers') @IsArray() @ArrayMaxSize(2) @IsInt({ each: true }) numbers!: number[];
    }
    const plan = compilePlan(Numbers);
    expect(readQuickly(plan, { numbers: [1, 2] })).toEqual({ numbers: [1, 2] });
    expect(readQuickly(plan, { numbers: [1, 2, 3] })).toBe(UNSURE);
  });
});
