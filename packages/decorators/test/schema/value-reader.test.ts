import {
  ArrayMaxSize,
  ArrayUnique,
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
  Min,
  MinLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Field } from '../../src/index.ts';
import { ClassSchema } from '../../src/schema/class-schema.ts';
import { declared, refusals } from './fixtures/declared.ts';

const EACH = { each: true };

class Edit {
  @IsString() old_text!: string;
  @IsString() @MinLength(2) new_text!: string;
  @IsOptional() @IsInt() count?: number;
}

class EditInput {
  @IsString() path!: string;
  @Field('In order', { type: () => Edit }) @IsArray() @ValidateNested() @ArrayMaxSize(3) edits: Edit[] = [];
  @Field('Written at the top', { type: () => Edit }) @IsOptional() @ValidateNested() first?: Edit;
}

const one = (...decorators: PropertyDecorator[]): readonly PropertyDecorator[] => decorators;

describe('a value', () => {
  it.each<[string, readonly PropertyDecorator[], unknown]>([
    ['a string', one(IsString()), ''],
    ['an integer without fraction', one(IsInt()), 1.0],
    ['a number', one(IsNumber()), 19.99],
    ['false', one(IsBoolean()), false],
    ['a free-form object', one(IsObject()), { any: ['thing', null] }],
    ['an empty array', one(IsString(EACH)), []],
    ['each element', one(IsInt(EACH), Min(1, EACH)), [1, 2]],
    ['one of the values', one(IsIn(['a', 'b'])), 'b'],
  ])('is unchanged: %s', (_, decorators, value) => {
    expect(ClassSchema.of(declared(decorators)).parse({ value }).value).toEqual({ value });
  });

  it.each<[string, readonly PropertyDecorator[], unknown, readonly string[]]>([
    ['a number for a string', one(IsString()), 5, ['value: expected a string, got 5']],
    ['a string for a number', one(IsNumber()), '5', ['value: expected a number, got a string']],
    ['a fraction for an integer', one(IsInt()), 1.5, ['value: expected an integer, got 1.5']],
    ['NaN', one(IsNumber()), Number.NaN, ['value: expected a number, got NaN']],
    ['an infinite number', one(IsNumber()), Infinity, ['value: expected a number, got Infinity']],
    ['a string for a boolean', one(IsBoolean()), 'true', ['value: expected a boolean, got a string']],
    ['an array for an object', one(IsObject()), [], ['value: expected an object, got an array']],
    ['a bare string for an array', one(IsString(EACH)), 'a', ['value: expected an array, got a string']],
    ['null in an array', one(IsString(EACH)), ['a', null], ['value.1: expected a string, got null']],
    [
      'each wrong element',
      one(IsString(EACH)),
      [{}, 'a', []],
      ['value.0: expected a string, got an object', 'value.2: expected a string, got an array'],
    ],
    ['a violated rule', one(IsInt(), Min(1)), 0, ['value: must not be less than 1']],
    [
      'two violated rules',
      one(IsString(), MinLength(2), Matches(/^b/)),
      'a',
      ['value: must match /^b/ regular expression', 'value: must be longer than or equal to 2 characters'],
    ],
    ['a violated rule for each element', one(IsInt(EACH), Max(9, EACH)), [1, 10], ['value.1: must not be greater than 9']],
    ['a list that is too long', one(IsInt(EACH), ArrayMaxSize(1)), [1, 2], ['value: must contain no more than 1 elements']],
    ['a value that is not listed', one(IsIn(['a', 'b'])), 'c', ['value: must be one of the following values: a, b']],
    [
      'other rules of an array with a wrong element',
      one(IsInt(EACH), Min(1, EACH)),
      ['1', 0],
      ['value.0: expected an integer, got a string', 'value.1: must not be less than 1'],
    ],
    ['nothing', one(IsString()), undefined, ['value: is required']],
    ['null', one(IsString()), null, ['value: is required']],
  ])('is rejected with its path and the reason: %s', (_, decorators, value, expected) => {
    expect(refusals(declared(decorators), { value })).toEqual(expected);
  });

  it.each<[string, unknown, string]>([
    ['a string', 'path', ': expected an object, got a string'],
    ['an array', [], ': expected an object, got an array'],
    ['null', null, ': expected an object, got null'],
    ['nothing', undefined, ': expected an object, got nothing'],
  ])('is rejected at its root: %s', (_, value, expected) => {
    expect(refusals(EditInput, value)).toEqual([expected]);
  });
});

describe('a rule', () => {
  it('is not applied to an array with an element of the wrong type', () => {
    expect(refusals(declared(one(IsString(EACH), ArrayUnique())), { value: [1, 2] })).toEqual([
      'value.0: expected a string, got 1',
      'value.1: expected a string, got 2',
    ]);
  });

  it('can read the other properties of the instance, declared before or after it', () => {
    const atLeastLow = ValidateBy({
      name: 'atLeastLow',
      validator: {
        validate: (value, given) => given !== undefined && 'low' in given.object && Number(value) >= Number(given.object.low),
        defaultMessage: () => 'must be at least low',
      },
    });
    class Range {
      @IsInt() @atLeastLow high!: number;
      @IsInt() low!: number;
    }
    expect(refusals(Range, { high: 2, low: 1 })).toEqual([]);
    expect(refusals(Range, { high: 1, low: 2 })).toEqual(['high: must be at least low']);
  });
});

describe('the message of a rule', () => {
  it.each<[string, PropertyDecorator, unknown, string]>([
    ['its constraint', Min(3, { message: 'at least $constraint1' }), 1, 'value: at least 3'],
    ['the name of the property', Min(3, { message: 'raise $property' }), 1, 'value: raise value'],
    ['the class', Min(3, { message: '$target wants more' }), 1, 'value: Input wants more'],
    [
      'the result of a message function',
      Min(3, { message: ({ value }) => `${String(value)} is too little` }),
      1,
      'value: 1 is too little',
    ],
    [
      'the value, without interpreting $ patterns',
      IsIn(['a'], { message: '"$value" is not known' }),
      "$&$'$`",
      'value: "$&$\'$`" is not known',
    ],
  ])('may contain %s', (_, rule, value, expected) => {
    expect(refusals(declared([rule, typeof value === 'number' ? IsInt() : IsString()]), { value })).toEqual([expected]);
  });
});

describe('an absent property', () => {
  class Window {
    @IsString() path!: string;
    @IsOptional() @IsInt() @Min(1) limit?: number;
    @IsInt() offset = 7;
  }

  it.each<[string, Record<string, unknown>]>([
    ['omitted', { path: 'a' }],
    ['undefined', { path: 'a', limit: undefined, offset: undefined }],
    ['null', { path: 'a', limit: null, offset: null }],
  ])('keeps its initial value if it is %s', (_, value) => {
    const parsed = ClassSchema.of(Window).parse(value).value;
    expect(parsed).toBeInstanceOf(Window);
    expect({ ...parsed }).toEqual({ path: 'a', limit: undefined, offset: 7 });
  });

  it('gets a separate initial value in each instance', () => {
    const schema = ClassSchema.of(EditInput);
    schema.parse({ path: 'a' }).value?.edits.push(new Edit());
    expect(schema.parse({ path: 'b' }).value?.edits).toEqual([]);
  });
});

describe('a nested object', () => {
  it('is an instance of its class, also in a list', () => {
    const { value } = ClassSchema.of(EditInput).parse({
      path: 'a',
      edits: [{ old_text: 'x', new_text: 'yy' }],
      first: { old_text: 'v', new_text: 'ww', count: 2 },
    });
    expect(value).toBeInstanceOf(EditInput);
    expect(value?.edits[0]).toBeInstanceOf(Edit);
    expect(value?.first).toEqual({ old_text: 'v', new_text: 'ww', count: 2 });
  });

  it('has all its mistakes reported at once, with paths', () => {
    const edits = [{ old_text: 'x', new_text: 'y' }, 'z', { oldText: 'x', new_text: 'yy' }];
    expect(new Set(refusals(EditInput, { edits, first: [] }))).toEqual(
      new Set([
        'path: is required',
        'edits.0.new_text: must be longer than or equal to 2 characters',
        'edits.1: expected an object, got a string',
        'edits.2.oldText: is not known; did you mean "old_text"?',
        'edits.2.old_text: is required',
        'first: expected an object, got an array',
      ]),
    );
  });
});

describe('strings', () => {
  it.each<[string, PropertyDecorator, string, unknown]>([
    ['an integer', IsInt(), '42', 42],
    ['a negative number', IsNumber(), '-1.5', -1.5],
    ['an exponent', IsNumber(), '1e3', 1000],
    ['true', IsBoolean(), 'true', true],
    ['false', IsBoolean(), 'false', false],
    ['a number that is one of some values', IsIn([1, 2]), '2', 2],
    ['a string where numbers and strings are declared', IsIn([1, '2']), '2', '2'],
    ['a string that looks like a number', IsString(), '42', '42'],
    ['a string that looks like a boolean', IsString(), 'true', 'true'],
    ['the empty string', IsString(), '', ''],
  ])('are parsed only for declared numbers and booleans: %s', (_, rule, value, expected) => {
    expect(ClassSchema.of(declared([rule])).parse({ value }, { strings: true }).value).toEqual({ value: expected });
  });

  it.each<[string, PropertyDecorator, string, string]>([
    ['the empty string', IsInt(), '', 'value: expected an integer'],
    ['white space', IsInt(), ' 42', 'value: expected an integer'],
    ['a hexadecimal number', IsInt(), '0x10', 'value: expected an integer'],
    ['a plus sign', IsInt(), '+1', 'value: expected an integer'],
    ['a fraction', IsInt(), '1.5', 'value: expected an integer, got 1.5'],
    ['a number too large', IsNumber(), '1e999', 'value: expected a number, got Infinity'],
    ['a word that is not a boolean', IsBoolean(), 'yes', 'value: expected a boolean'],
    ['True in upper case', IsBoolean(), 'TRUE', 'value: expected a boolean'],
    ['a JSON array', IsString(EACH), '["a"]', 'value: expected an array'],
    ['a JSON object', IsObject(), '{}', 'value: expected an object'],
  ])('are rejected if they are neither a number nor a boolean: %s', (_, rule, value, expected) => {
    const issues = refusals(declared([rule]), { value }, { strings: true });
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatch(expected);
  });

  it('are not parsed without the option strings', () => {
    expect(refusals(declared([IsInt()]), { value: '42' })).toEqual(['value: expected an integer, got a string']);
  });
});
