import * as rules from 'class-validator';
import { Equals, IsArray, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ClassSchema, Field, type Constructor } from '../../src/index.ts';
import { declared, type FieldDecorator } from './fixtures/declared.ts';

const EACH = { each: true };

class Circle {
  @Equals('circle') kind!: string;
}
class Square {
  @Equals('square') kind!: string;
}
class Round {
  @Equals('circle') kind!: string;
}
class Unpinned {
  @IsString() kind!: string;
}
class Region {
  @Field('Where', { header: 'Region' }) @IsString() region!: string;
}

const missing = (): Constructor => undefined as never;
const tooEarly = (): Constructor => {
  throw new ReferenceError("Cannot access 'Later' before initialization");
};
class Unregistered {
  validate(): boolean {
    return true;
  }
}

describe('a mistake in the annotations of a property is reported with the remedy:', () => {
  it.each<[string, readonly FieldDecorator[], readonly string[]]>([
    ['no type', [Field('No rule')], ['has no type; add a rule of class-validator, such as @IsString()']],
    ['no type but a format', [rules.IsEmail()], ['has no type; add a rule of class-validator, such as @IsString()']],
    ['two types', [IsString(), IsInt()], ['conflicting types integer and string; keep the rules of one']],
    ['a limit for another type', [IsString(), rules.Min(1)], ['conflicting types number and string; keep the rules of one']],
    ['two types of the elements', [IsString(EACH), IsInt(EACH)], ['conflicting types integer and string; keep the rules of one']],
    ['an array with a rule for strings', [IsString(), IsInt(EACH)], ['conflicting types string and array; keep the rules']],
    [
      'a nested class with a rule for strings',
      [IsString(), Field({ type: () => Circle })],
      ['conflicting types string and object; keep the rules of one'],
    ],
    ['a conflicting rule', [IsString(), Field({ type: 'boolean' })], ['conflicting types string and boolean; keep the']],
    [
      'no element type',
      [IsArray()],
      ["is an array without element type; add a rule such as @IsString({ each: true }), or @Field('…', { type: () => Dto })"],
    ],
    [
      'no nested class',
      [IsOptional(), ValidateNested()],
      ["@ValidateNested() needs the class: @Field('…', { type: () => Dto })"],
    ],
    [
      'no nested class of an array',
      [IsArray(), ValidateNested(EACH)],
      ["@ValidateNested() needs the class: @Field('…', { type: () => Dto })"],
    ],
    [
      'a nested class that is undefined because of an import cycle',
      [Field({ type: missing }), ValidateNested()],
      ['its class is not defined yet; break the import cycle, or move the class up'],
    ],
    [
      'a nested class that is declared below',
      [Field({ type: tooEarly }), ValidateNested()],
      ['its class is not defined yet; break the import cycle, or move the class up'],
    ],
    ['a class and a map', [Field({ type: () => Circle, values: 'string' })], ['has type and values together; keep one']],
    [
      'a class and a union',
      [Field({ type: () => Circle, oneOf: () => [Circle], discriminator: 'kind' })],
      ['has type and oneOf together; keep one'],
    ],
    [
      'a union without discriminator',
      [Field({ oneOf: () => [Circle, Square] })],
      ["is a union without discriminator; add discriminator: 'kind'"],
    ],
    [
      'a union without classes',
      [Field({ oneOf: () => [], discriminator: 'kind' })],
      ['its oneOf returns no classes; break the import cycle, or write oneOf: () => [A, B]'],
    ],
    [
      'a union of a class that is undefined because of an import cycle',
      [Field({ oneOf: () => [Circle, missing()], discriminator: 'kind' })],
      ['its oneOf returns no classes; break the import cycle, or write oneOf: () => [A, B]'],
    ],
    [
      'a member that does not pin the discriminator',
      [Field({ oneOf: () => [Circle, Unpinned], discriminator: 'kind' })],
      ["Unpinned does not pin the discriminator; put @Equals('…') on Unpinned.kind"],
    ],
    [
      'two members with the same discriminator value',
      [Field({ oneOf: () => [Circle, Round], discriminator: 'kind' })],
      ['Circle and Round both have the kind "circle"; give each its own'],
    ],
    [
      'a discriminator without a union',
      [Field({ type: () => Circle, discriminator: 'kind' })],
      ['has a discriminator but no oneOf; add oneOf: () => [A, B], or remove the discriminator'],
    ],
    [
      'a date',
      [rules.IsDate()],
      ['@IsDate() requires a value that JSON cannot represent; use @IsString() and @IsISO8601() instead'],
    ],
    ['@MinDate', [rules.MinDate(new Date(0))], ['@MinDate() requires a value that JSON cannot represent; use @IsString() and']],
    ['@MaxDate', [rules.MaxDate(new Date(0))], ['@MaxDate() requires a value that JSON cannot represent; use @IsString() and']],
    [
      'an instance',
      [rules.IsInstance(Circle)],
      ['@IsInstance() requires a value that JSON cannot represent; use @ValidateNested() and @Field({ type: () => Dto })'],
    ],
    [
      'a promise',
      [rules.ValidatePromise()],
      ['@ValidatePromise() requires a value that JSON cannot represent; use @ValidateNested()'],
    ],
    [
      'an asynchronous validator',
      [IsString(), asynchronous()],
      ['the validator isFree is asynchronous, which is not supported; check it in the method'],
    ],
    [
      'a validator that is not registered',
      [IsString(), rules.Validate(Unregistered)],
      ['the validator Unregistered is not registered; add @ValidatorConstraint() to it'],
    ],
    [
      '@IsDefined and @IsOptional together',
      [IsString(), IsOptional(), rules.IsDefined()],
      ['has both @IsOptional() and @IsDefined(); keep one'],
    ],
    ['titles without values', [IsString(), Field({ titles: { a: 'A' } })], ['has titles, but no listed values; add @IsIn()']],
    [
      'a title for a value that is not listed',
      [rules.IsIn(['a']), Field({ titles: { a: 'A', b: 'B' } })],
      ['has a title for "b", which is not one of its values; remove the title'],
    ],
    ['a format for an object', [Field({ type: () => Circle, format: 'email' })], ['has a format, which only a string or a']],
    [
      'a header for a number',
      [rules.IsNumber(), Field({ header: 'Size' })],
      ['has a header, which only a string, an integer or a boolean may have; remove the header'],
    ],
    ['a header for an array', [IsString(EACH), Field({ header: 'Tags' })], ['has a header, which only a string, an integer']],
    ['a header for an object', [Field({ type: () => Circle, header: 'Shape' })], ['has a header, which only a string, an']],
    ['a header for several types', [Field({ type: ['string', 'integer'], header: 'Key' })], ['has a header, which only a']],
    [
      'a header that is not a token',
      [IsString(), Field({ header: 'My Region' })],
      ['"My Region" is not a valid header name; use letters, digits and any of !#$%&'],
    ],
    ['a header with a line break', [IsString(), Field({ header: 'a\r\nb' })], ['"a\r\nb" is not a valid header name']],
    ['a header without a name', [IsString(), Field({ header: '' })], ['"" is not a valid header name']],
  ])('%s', (_, decorators, expected) => {
    const { problems } = ClassSchema.of(declared(decorators));
    expect(problems).toEqual(expected.map((beginning) => expect.stringContaining(`Input.value: ${beginning}`)));
  });
});

describe('a mistake in a class is reported with its name:', () => {
  class Picky {
    @IsString() path: string;
    constructor(given: { path: string }) {
      this.path = given.path;
    }
  }
  class Typeless {
    @Field('No rule says what it is') path!: string;
  }
  class Outer {
    @Field('Inside', { type: () => Typeless }) @ValidateNested() inner!: Typeless;
    @Field('Inside', { values: () => Typeless }) map!: object;
  }
  class Bare {}
  class Partly {
    @IsString() path!: string;
    limit = 10;
  }
  class Twice {
    @Field('Where', { header: 'region' }) @IsString() here!: string;
    @Field('Other place', { type: () => Region }) @ValidateNested() there!: Region;
  }
  class Listed {
    @Field('Where', { type: () => Region }) @IsArray() @ValidateNested() regions!: Region[];
  }
  class Mapped {
    @Field('Where', { values: () => Region }) regions!: Record<string, Region>;
  }
  class Regional {
    @Equals('regional') kind!: string;
    @Field('Where', { header: 'Region' }) @IsString() region!: string;
  }
  class United {
    @Field('Where', { oneOf: () => [Regional], discriminator: 'kind' }) @ValidateNested() place!: Regional;
  }
  class Nested {
    @Field('Where', { header: 'Region' }) @IsString() region!: string;
    @Field('Inside', { type: () => Nested }) @IsOptional() @ValidateNested() inner?: Nested;
  }
  const UNREACHABLE = 'has a header, but is in an array, a map, a union or a recursive class; remove the header';

  it.each<[string, Constructor, readonly string[]]>([
    [
      'a constructor that requires an argument',
      Picky,
      ['Picky: cannot be instantiated without arguments; remove the parameters of its constructor'],
    ],
    [
      'a mistake in a nested class, reported once',
      Outer,
      ['Typeless.path: has no type; add @IsString(), or @IsIn([…]) for a choice'],
    ],
    ['no annotation at all', Bare, ['Bare: has no annotated property; add @Field and a rule of class-validator']],
    ['a field without annotation', Partly, ['Partly.limit: has no annotation; add @Field or a rule of class-validator']],
    [
      'a header that differs only in case from a header of a nested class',
      Twice,
      ['Region.region: the header "Region" is already used by Twice.here; rename one of the two'],
    ],
    ['a header in an array', Listed, [`Region.region: ${UNREACHABLE}`]],
    ['a header in a map', Mapped, [`Region.region: ${UNREACHABLE}`]],
    ['a header in a union', United, [`Regional.region: ${UNREACHABLE}`]],
    ['a header in a class that contains itself', Nested, [`Nested.region: ${UNREACHABLE}`]],
  ])('%s', (_, target, expected) => {
    expect(ClassSchema.of(target).problems).toEqual(expected.map((beginning) => expect.stringContaining(beginning)));
  });

  it('does not occur in a usable class', () => {
    class Two {
      @Field('Where', { header: 'From' }) @IsString() from!: string;
      @Field('Other place', { type: () => Region }) @ValidateNested() to!: Region;
    }
    expect(ClassSchema.of(Two).problems).toEqual([]);
  });
});

function asynchronous(): FieldDecorator {
  return (prototype, propertyName) =>
    rules.registerDecorator({
      name: 'isFree',
      async: true,
      target: prototype.constructor,
      propertyName,
      validator: { validate: async () => true },
    });
}
