import {
  ArrayMaxSize,
  Equals,
  IsArray,
  IsBoolean,
  IsDate,
  IsDefined,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Field, Flag, Integer, McpServer, ObjectOf, OneOf, Text, Tool, type Constructor } from '../../src/index.ts';
import { readProblems } from './read-problems.ts';

class Line {
  @Text('Text') text!: string;
}
class Circle {
  @Equals('circle') kind!: 'circle';
}
class Unpinned {
  @IsString() kind!: string;
}

class NumberAsText {
  @IsString() value!: number;
}
class TextAsNumber {
  @IsInt() value!: string;
}
class TextAsFlag {
  @IsBoolean() value!: string;
}
class ListAsText {
  @IsArray() @IsString({ each: true }) value!: string;
}
class ObjectAsText {
  @Field('Line', { type: () => Line }) @ValidateNested() value!: string;
}
class DateAsText {
  @IsString() value!: Date;
}
class BareText {
  @Field('Name') value!: string;
}
class BareNumber {
  @Field('Count') value!: number;
}
class BareDate {
  @Field('When') value!: Date;
}
class BareRecord {
  @Field('Labels') value!: Record<string, string>;
}
class BareChoice {
  @Field('Order') value!: 'asc' | 1;
}
class BareObject {
  @Field('Line') value!: Line;
}
class BareList {
  @IsArray() value!: string[];
}
class TwoTypes {
  @IsString() @IsInt() value!: unknown;
}
class LimitOfText {
  @IsString() @Min(1) value!: unknown;
}
class JavaScriptDate {
  @IsDate() value!: Date;
}
class NestedWithoutClass {
  @ValidateNested() value!: Line;
}
class OptionalAndDefined {
  @IsOptional() @IsDefined() @IsString() value?: string;
}
class UnionWithoutDiscriminator {
  @Field('Shape', { oneOf: () => [Circle] }) value!: Circle;
}
class UnionWithoutPin {
  @Field('Shape', { oneOf: () => [Unpinned], discriminator: 'kind' }) value!: Unpinned;
}
class TypeAndValues {
  @Field('Labels', { type: 'string', values: 'string' }) value!: unknown;
}
class SurplusTitle {
  @OneOf(['asc'], 'Order', { titles: { desc: 'Descending' } }) value!: string;
}
class FormatOfBoolean {
  @Flag('Count', { format: 'email' }) value!: boolean;
}
class HeaderOfObject {
  @ObjectOf(() => Line, 'Line', { header: 'Line' }) value!: Line;
}
class HeaderWithSpace {
  @Text('Region', { header: 'My Region' }) value!: string;
}
class TooLargeDefault {
  @Integer('Count', { max: 5 }) value = 9;
}
class UnlistedDefault {
  @IsIn(['asc', 'desc']) value = 'up';
}
class LongDefault {
  @IsInt({ each: true }) @ArrayMaxSize(1) value = [1, 2];
}
class NarrowerThanDefault extends TooLargeDefault {
  @Max(10) declare value: number;
}
class Unannotated {
  @IsEmail() mail!: string;
  value = 9;
}

describe('a planted mistake in an input or output class is reported at the start, with its place and a remedy:', () => {
  const MISTAKES: readonly [Constructor, string][] = [
    [NumberAsText, 'declare the property as string, or replace the rules by @IsNumber() or @IsInt()'],
    [TextAsNumber, 'declare the property as number, or replace the rules by @IsString()'],
    [TextAsFlag, 'declare the property as boolean, or replace the rules by @IsString()'],
    [ListAsText, 'declare the property as an array'],
    [ObjectAsText, 'declare the property as a class or an object type'],
    [DateAsText, 'declare the property as string'],
    [BareText, 'add @IsString(), or @IsIn([…]) for a choice'],
    [BareNumber, 'add @IsNumber() or @IsInt()'],
    [BareDate, 'add @IsString() and @IsISO8601()'],
    [BareRecord, 'values for a map'],
    [BareChoice, '@IsIn() or @IsEnum() for a choice'],
    [BareObject, "@Field('…', { type: () => Line })"],
    [BareList, 'add a rule such as @IsString({ each: true })'],
    [TwoTypes, 'keep the rules of one'],
    [LimitOfText, 'keep the rules of one'],
    [JavaScriptDate, 'use @IsString() and @IsISO8601() instead'],
    [NestedWithoutClass, "@Field('…', { type: () => Dto })"],
    [OptionalAndDefined, 'keep one'],
    [UnionWithoutDiscriminator, "add discriminator: 'kind'"],
    [UnionWithoutPin, "put @Equals('…') on Unpinned.kind"],
    [TypeAndValues, 'keep one'],
    [SurplusTitle, 'remove the title'],
    [FormatOfBoolean, 'remove the format'],
    [HeaderOfObject, 'remove the header'],
    [HeaderWithSpace, 'use letters, digits and any of'],
    [TooLargeDefault, 'change the default or the rule'],
    [UnlistedDefault, 'change the default or the rule'],
    [LongDefault, 'change the default or the rule'],
    [Unannotated, 'add @Field or a rule of class-validator'],
  ];

  it.each(MISTAKES.map(([target, remedy]) => ({ name: target.name, target, remedy })))('$name', ({ target, remedy }) => {
    @McpServer({ name: 'notes', version: '1.0.0' })
    class Reading {
      @Tool({ description: 'Read', input: target }) read(): void {}
    }
    @McpServer({ name: 'notes', version: '1.0.0' })
    class Writing {
      @Tool({ description: 'Write', output: target }) write(): object {
        return {};
      }
    }
    const problems = [Reading, Writing].map(readProblems);
    const place = `${target.name}.value: `;
    expect(problems).toEqual([
      [expect.stringContaining(`Reading.read: ${place}`)],
      [expect.stringContaining(`Writing.write: ${place}`)],
    ]);
    for (const [problem] of problems) expect(problem).toContain(remedy);
  });

  it('does not exist in a subclass that repairs the rule', () => {
    @McpServer({ name: 'notes', version: '1.0.0' })
    class Reading {
      @Tool({ description: 'Read', input: NarrowerThanDefault }) read(): void {}
    }
    expect(readProblems(Reading)).toEqual([]);
  });
});
