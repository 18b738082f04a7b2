import * as rules from 'class-validator';
import { IsEmail, IsInt, IsOptional, MaxLength } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ClassSchema, Field, type Constructor } from '../../src/index.ts';
import { refusals } from './fixtures/declared.ts';

class Point {
  @IsInt() x!: number;
}

function problemsOf(target: Constructor): readonly string[] {
  return ClassSchema.of(target).problems;
}

describe('a property whose rules require no type', () => {
  class Contact {
    @IsEmail() mail!: string;
    @rules.IsUrl() @IsOptional() page?: string;
    @rules.IsLatitude() latitude!: number;
    @rules.IsNotEmpty() name!: string;
    @rules.NotEquals(false) agreed!: boolean;
  }
  class Short extends Contact {
    @MaxLength(20) declare mail: string;
  }

  it('takes its declared type', () => {
    expect(problemsOf(Contact)).toEqual([]);
    expect(ClassSchema.of(Contact).input.properties).toEqual({
      mail: { type: 'string' },
      page: { type: 'string' },
      latitude: { type: 'number', minimum: -90, maximum: 90 },
      name: { type: 'string', minLength: 1 },
      agreed: { type: 'boolean', not: { const: false } },
    });
    expect(ClassSchema.of(Short).input.properties['mail']).toEqual({ type: 'string', maxLength: 20 });
  });

  it('rejects values of other types', () => {
    expect(refusals(Contact, { mail: 1, latitude: '48', name: ['a'], agreed: 'true' })).toEqual([
      'mail: expected a string, got 1',
      'latitude: expected a number, got a string',
      'name: expected a string, got an array',
      'agreed: expected a boolean, got a string',
    ]);
  });
});

describe('a property without a rule for its value is a mistake with a remedy for its declared type:', () => {
  class Text {
    @Field('…') value!: string;
  }
  class Literal {
    @Field('…') value!: 'asc' | 'desc';
  }
  class Optional {
    @Field('…') @IsOptional() value?: string;
  }
  class Numeric {
    @Field('…') value!: number;
  }
  class Truth {
    @Field('…') value!: boolean;
  }
  class Day {
    @Field('…') value!: Date;
  }
  class Dictionary {
    @Field('…') value!: Map<string, string>;
  }
  class List {
    @Field('…') value!: string[];
  }
  class Nested {
    @Field('…') value!: Point;
  }
  class Keyed {
    @Field('…') value!: Record<string, string>;
  }
  class Union {
    @Field('…') value!: string | number;
  }
  class Started {
    @Field('…') value = 5;
  }
  const UNION =
    "has no type; add @IsIn() or @IsEnum() for a choice, or an option of @Field: values for a map, type: ['string', 'number']";

  it.each<[Constructor, string]>([
    [Text, 'has no type; add @IsString(), or @IsIn([…]) for a choice'],
    [Literal, 'has no type; add @IsString(), or @IsIn([…]) for a choice'],
    [Optional, 'has no type; add @IsString(), or @IsIn([…]) for a choice'],
    [Numeric, 'has no type; add @IsNumber() or @IsInt()'],
    [Truth, 'has no type; add @IsBoolean()'],
    [
      Day,
      'is declared as Date, which JSON cannot represent; declare the property as string, and add @IsString() and @IsISO8601()',
    ],
    [
      Dictionary,
      'is declared as Map, which JSON cannot represent; declare the property as Record<string, string>, and add @Field',
    ],
    [List, 'is an array without element type; add a rule such as @IsString({ each: true })'],
    [Nested, "has no type; add @ValidateNested() and @Field('…', { type: () => Point })"],
    [Keyed, UNION],
    [Union, UNION],
    [Started, 'has no type; add @IsNumber() or @IsInt()'],
  ])('%o', (target, expected) => {
    expect(problemsOf(target)).toEqual([expect.stringContaining(`${target.name}.value: ${expected}`)]);
  });
});
