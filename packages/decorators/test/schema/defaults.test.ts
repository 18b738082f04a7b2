import {
  ArrayMaxSize,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ClassSchema, Field, Integer, Text, type Constructor } from '../../src/index.ts';

function problemsOf(target: Constructor): readonly string[] {
  return ClassSchema.of(target).problems;
}

class Layout {
  @Integer({ min: 10 }) lines = 60;
}
class TooLarge {
  @Integer('Count', { max: 5 }) count = 9;
}
class OtherType {
  @IsString() name = 5;
}
class Unlisted {
  @IsIn(['asc', 'desc']) order = 'up';
}
class TooMany {
  @IsString({ each: true }) @ArrayMaxSize(1) tags = ['a', 'b'];
}
class WrongItem {
  @IsInt({ each: true }) counts = [1, 1.5];
}
class NestedRule {
  @Field('Layout', { type: () => Layout }) @ValidateNested() layout = Object.assign(new Layout(), { lines: 5 });
}
class Below extends TooLarge {
  @Max(3) declare count: number;
}
class Above {
  @Field('Inside', { type: () => TooLarge }) @IsOptional() @ValidateNested() inside?: TooLarge;
}

describe('a default that breaks a rule of its property', () => {
  const REMEDY = 'change the default or the rule';

  it.each<[string, Constructor, string]>([
    ['a limit', TooLarge, 'TooLarge.count: its default 9 is not valid: must not be greater than 5'],
    ['the type', OtherType, 'OtherType.name: its default 5 is not valid: expected a string, got 5'],
    ['a choice', Unlisted, 'Unlisted.order: its default "up" is not valid: must be one of the following values: asc, desc'],
    ['a limit of items', TooMany, 'TooMany.tags: its default ["a","b"] is not valid: must contain no more than 1 elements'],
    ['a rule of items', WrongItem, 'WrongItem.counts: its default [1,1.5] is not valid: 1 expected an integer, got 1.5'],
    ['a nested rule', NestedRule, 'NestedRule.layout: its default {"lines":5} is not valid: lines must not be less than 10'],
    ['a narrower rule of a subclass', Below, 'Below.count: its default 9 is not valid: must not be greater than 3'],
    ['a rule of a nested class', Above, 'TooLarge.count: its default 9 is not valid: must not be greater than 5'],
  ])('is a mistake with the value and the remedy: %s', (_, target, expected) => {
    expect(problemsOf(target)).toEqual([`${expected}; ${REMEDY}`]);
  });

  it('is not looked for where a condition needs other properties', () => {
    class Conditional {
      @Text() region!: string;
      @ValidateIf(({ region }: Conditional) => region.length > 2) @IsString() @MinLength(5) tax = 'a';
    }
    expect(problemsOf(Conditional)).toEqual([]);
  });
});

describe('an initial value', () => {
  class Fitting {
    @Integer({ min: 1, max: 9 }) count = 5;
    @Field('Layout', { type: () => Layout }) @ValidateNested() layout = new Layout();
    @IsOptional() @IsString() @MinLength(1) name: string | null = null;
    @IsDefined() @Min(5) limit = 1;
    @IsOptional() @IsInt({ each: true }) none: number[] = [];
  }

  it('that is no default, or that its rules accept, is no mistake', () => {
    expect(problemsOf(Fitting)).toEqual([]);
  });
});
