import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Field, Flag, Integer, ListOf, ObjectOf, OneOf, Text, TextList } from '../../src/index.ts';
import { ClassSchema } from '../../src/schema/class-schema.ts';

const FORMATTERS = { json: JSON.stringify, plain: String };

class Point {
  @Integer('Column') x!: number;
}

class Composite {
  @Text('Name', { minLength: 1, maxLength: 4, pattern: /^[a-z]*$/ }) name!: string;
  @Text('Date', { format: 'date', optional: true }) date?: string;
  @Integer('Limit', { min: 1, max: 9, optional: true }) limit?: number;
  @Flag('Hidden too', { header: 'Hidden' }) hidden!: boolean;
  @OneOf(['asc', 'desc'], 'Order', { titles: { asc: 'Ascending' } }) order!: 'asc' | 'desc';
  @OneOf([1, 2], { title: 'Level' }) level!: 1 | 2;
  @OneOf(FORMATTERS, 'Format', { optional: true }) format?: keyof typeof FORMATTERS;
  @TextList('Tags', { minItems: 1, maxItems: 3, maxLength: 2 }) @ArrayUnique() tags!: string[];
  @ListOf(() => Point, 'Points', { minItems: 1, maxItems: 2 }) points!: Point[];
  @ObjectOf(() => Point, 'Origin', { optional: true }) origin?: Point;
  @Text() bare!: string;
  @Integer('Count') count = 5;
}

class Written {
  @Field('Name') @IsString() @MinLength(1) @MaxLength(4) @Matches(/^[a-z]*$/) name!: string;
  @Field('Date', { format: 'date' }) @IsOptional() @IsString() date?: string;
  @Field('Limit') @IsOptional() @IsInt() @Min(1) @Max(9) limit?: number;
  @Field('Hidden too', { header: 'Hidden' }) @IsBoolean() hidden!: boolean;
  @Field('Order', { titles: { asc: 'Ascending' } }) @IsIn(['asc', 'desc']) order!: 'asc' | 'desc';
  @Field({ title: 'Level' }) @IsIn([1, 2]) level!: 1 | 2;
  @Field('Format') @IsOptional() @IsIn(['json', 'plain']) format?: string;
  @Field('Tags')
  @IsString({ each: true })
  @MaxLength(2, { each: true })
  @ArrayMinSize(1)
  @ArrayMaxSize(3)
  @ArrayUnique()
  tags!: string[];
  @Field('Points', { type: () => Point }) @ValidateNested({ each: true }) @ArrayMinSize(1) @ArrayMaxSize(2) points!: Point[];
  @Field('Origin', { type: () => Point }) @IsOptional() @ValidateNested() origin?: Point;
  @IsString() bare!: string;
  @Field('Count') @IsInt() count = 5;
}

const VALID = {
  name: 'abc',
  hidden: false,
  order: 'asc',
  level: 2,
  tags: ['a', 'b'],
  points: [{ x: 1 }],
  bare: '',
};

const composite = ClassSchema.of(Composite);
const written = ClassSchema.of(Written);

function readIssues(change: object): readonly string[] {
  const issues = composite.parse({ ...VALID, ...change }).issues ?? [];
  expect(issues).toEqual(written.parse({ ...VALID, ...change }).issues ?? []);
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('a composite field decorator', () => {
  it('declares the same JSON Schema as the decorators that it combines', () => {
    expect(composite.problems).toEqual([]);
    expect(composite.input).toEqual(written.input);
    expect(composite.output).toEqual(written.output);
  });

  it('advertises types, limits, choices, nested classes, defaults and required properties', () => {
    const { properties, required } = composite.input;
    expect(properties).toEqual({
      name: { type: 'string', description: 'Name', minLength: 1, maxLength: 4, pattern: '^[a-z]*$' },
      date: { type: 'string', description: 'Date', format: 'date' },
      limit: { type: 'integer', description: 'Limit', minimum: 1, maximum: 9 },
      hidden: { type: 'boolean', description: 'Hidden too', 'x-mcp-header': 'Hidden' },
      order: {
        type: 'string',
        description: 'Order',
        oneOf: [
          { const: 'asc', title: 'Ascending' },
          { const: 'desc', title: 'desc' },
        ],
      },
      level: { type: 'integer', title: 'Level', enum: [1, 2] },
      format: { type: 'string', description: 'Format', enum: ['json', 'plain'] },
      tags: {
        type: 'array',
        description: 'Tags',
        items: { type: 'string', maxLength: 2 },
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
      },
      points: { type: 'array', description: 'Points', items: ClassSchema.of(Point).input, minItems: 1, maxItems: 2 },
      origin: { ...ClassSchema.of(Point).input, description: 'Origin' },
      bare: { type: 'string' },
      count: { type: 'integer', description: 'Count', default: 5 },
    });
    expect(required).toEqual(['name', 'hidden', 'order', 'level', 'tags', 'points', 'bare']);
  });

  it('reads a valid value to instances, and an initial value if the property is absent', () => {
    const { value } = composite.parse({ ...VALID, origin: { x: 0 } });
    expect(value).toBeInstanceOf(Composite);
    expect(value?.points[0]).toBeInstanceOf(Point);
    expect(value?.origin).toBeInstanceOf(Point);
    expect(value).toMatchObject({ ...VALID, origin: { x: 0 }, count: 5 });
  });

  it.each<[string, object]>([
    ['is absent', {}],
    ['is null', { date: null, limit: null, format: null, origin: null, count: null }],
  ])('accepts an optional property that %s', (_, change) => {
    expect(readIssues(change)).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['a missing required property', { name: undefined }, 'name: is required'],
    ['null for a required property', { name: null }, 'name: is required'],
    ['a number for @Text', { bare: 1 }, 'bare: expected a string, got 1'],
    ['a text that is too short', { name: '' }, 'name: must be longer than or equal to 1 characters'],
    ['a text that is too long', { name: 'abcde' }, 'name: must be shorter than or equal to 4 characters'],
    ['a text that does not match', { name: 'A' }, 'name: must match /^[a-z]*$/ regular expression'],
    ['a fraction for @Integer', { limit: 1.5 }, 'limit: expected an integer, got 1.5'],
    ['an integer that is too small', { limit: 0 }, 'limit: must not be less than 1'],
    ['an integer that is too large', { limit: 10 }, 'limit: must not be greater than 9'],
    ['a text for @Flag', { hidden: 'true' }, 'hidden: expected a boolean, got a string'],
    ['a text that @OneOf does not list', { order: 'up' }, 'order: must be one of the following values: asc, desc'],
    ['a number that @OneOf does not list', { level: 3 }, 'level: must be one of the following values: 1, 2'],
    ['a text that is not a key of the table', { format: 'toString' }, 'format: must be one of the following values: json, plain'],
    ['a text for @TextList', { tags: 'a' }, 'tags: expected an array, got a string'],
    ['a number in a @TextList', { tags: [1] }, 'tags.0: expected a string, got 1'],
    ['too few texts', { tags: [] }, 'tags: must contain at least 1 elements'],
    ['too many texts', { tags: ['a', 'b', 'c', 'd'] }, 'tags: must contain no more than 3 elements'],
    ['an item that is too long', { tags: ['abc'] }, 'tags.0: must be shorter than or equal to 2 characters'],
    ['a list that breaks another rule', { tags: ['a', 'a'] }, "tags: All tags's elements must be unique"],
    ['an object for @ListOf', { points: { x: 1 } }, 'points: expected an array, got an object'],
    ['too few objects', { points: [] }, 'points: must contain at least 1 elements'],
    ['an object in a list that is not valid', { points: [{ x: 'a' }] }, 'points.0.x: expected an integer, got a string'],
    ['an unknown property of a nested object', { origin: { x: 1, y: 2 } }, 'origin.y: is not known; did you mean "x"?'],
    ['a text for @ObjectOf', { origin: 'a' }, 'origin: expected an object, got a string'],
  ])('rejects %s with a message', (_, change, issue) => {
    expect(readIssues(change)).toEqual([issue]);
  });

  it('is inherited, and a decorator in a subclass replaces only what it declares', () => {
    class Narrow extends Composite {
      @MaxLength(2) declare name: string;
      @Integer({ max: 3, optional: true }) declare limit?: number;
    }
    const { name, limit, hidden } = ClassSchema.of(Narrow).input.properties;
    expect(name).toMatchObject({ description: 'Name', minLength: 1, maxLength: 2 });
    expect(limit).toEqual({ type: 'integer', description: 'Limit', minimum: 1, maximum: 3 });
    expect(hidden).toEqual(composite.input.properties['hidden']);
  });
});
