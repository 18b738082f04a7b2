import { IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Field } from '../../src/index.ts';
import { ClassSchema } from '../../src/schema/class-schema.ts';
import { describeIssues } from '../../src/schema/issues.ts';
import { declared } from './fixtures/declared.ts';

const EACH = { each: true };
const OPTIONS = { quotedJson: true };

class Edit {
  @IsString() oldText!: string;
  @IsOptional() @IsInt() count?: number;
}

class EditInput {
  @Field('Edits', { type: () => Edit }) @IsArray() @ValidateNested() edits: Edit[] = [];
  @Field('First', { type: () => Edit }) @IsOptional() @ValidateNested() first?: Edit;
}

function read(decorators: readonly PropertyDecorator[], value: unknown): unknown {
  const { value: instance, issues = [] } = ClassSchema.of(declared([...decorators])).parse({ value }, OPTIONS);
  return issues.length > 0 ? describeIssues(issues) : Reflect.get(instance ?? {}, 'value');
}

describe('JSON inside a string', () => {
  it.each<[string, PropertyDecorator[], string, unknown]>([
    ['an integer', [IsInt()], '42', 42],
    ['a negative integer', [IsInt()], '-7', -7],
    ['a number', [IsNumber()], '19.99', 19.99],
    ['true', [IsBoolean()], 'true', true],
    ['false', [IsBoolean()], 'false', false],
    ['one of several numbers', [IsIn([1, 2])], '2', 2],
    ['a list', [IsString(EACH)], '["a", "b"]', ['a', 'b']],
    ['a list of numbers that are strings again', [IsInt(EACH)], '["1", 2]', [1, 2]],
    ['a free-form object', [IsObject()], ' {"a": 1}\n', { a: 1 }],
  ])('is read as the value that a class requires: %s', (_, decorators, text, expected) => {
    expect(read(decorators, text)).toEqual(expected);
  });

  it('is read as the objects of a list and as a nested object', () => {
    const given = { edits: '[{"oldText": "a", "count": "3"}, "{\\"oldText\\": \\"b\\"}"]', first: '{"oldText": "c"}' };
    expect(ClassSchema.of(EditInput).parse(given, OPTIONS).value).toEqual({
      edits: [{ oldText: 'a', count: 3 }, { oldText: 'b' }],
      first: { oldText: 'c' },
    });
  });

  it.each<[string, PropertyDecorator[], string]>([
    ['digits', [IsString()], '42'],
    ['a boolean', [IsString()], 'true'],
    ['a list', [IsString()], '["a"]'],
    ['null', [IsString()], 'null'],
  ])('stays a string if the class permits a string: %s', (_, decorators, text) => {
    expect(read(decorators, text)).toBe(text);
  });

  it.each<[string, PropertyDecorator[], string, string]>([
    ['a number that loses a digit', [IsInt()], '9007199254740993', 'value: expected an integer, got a string'],
    ['leading zeros', [IsInt()], '007', 'value: expected an integer, got a string'],
    ['a space', [IsInt()], ' 7', 'value: expected an integer, got a string'],
    ['a trailing zero', [IsNumber()], '1.0', 'value: expected a number, got a string'],
    ['an exponent', [IsNumber()], '1e3', 'value: expected a number, got a string'],
    ['a hexadecimal number', [IsInt()], '0x10', 'value: expected an integer, got a string'],
    ['a fraction for an integer', [IsInt()], '1.5', 'value: expected an integer, got a string'],
    ['an empty string', [IsInt()], '', 'value: expected an integer, got a string'],
    ['another spelling of a boolean', [IsBoolean()], 'True', 'value: expected a boolean, got a string'],
    ['a digit for a boolean', [IsBoolean()], '1', 'value: expected a boolean, got a string'],
    ['null', [IsBoolean()], 'null', 'value: expected a boolean, got a string'],
    ['an object for a list', [IsString(EACH)], '{"a": 1}', 'value: expected an array, got a string'],
    ['broken JSON', [IsString(EACH)], '["a"', 'value: expected an array, got a string'],
    ['a text for a list', [IsString(EACH)], 'a', 'value: expected an array, got a string'],
    ['a hostile name', [IsObject()], '{"a": {"__proto__": {}}}', 'value.a.__proto__: is not allowed as a name'],
    ['deep nesting', [IsObject()], `{"a":${'['.repeat(80)}${']'.repeat(80)}}`, 'nested more than 64 levels deep'],
    ['nesting that no parser accepts', [IsArray()], '['.repeat(1_000_000), 'expected an array, got a string'],
  ])('is rejected if its meaning is not exact: %s', (_, decorators, text, expected) => {
    expect(read(decorators, text)).toContain(expected);
  });
});
