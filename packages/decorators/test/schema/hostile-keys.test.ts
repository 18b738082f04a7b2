import { IsArray, IsInt, IsNotEmptyObject, IsObject, IsOptional, IsString, MinLength, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ClassSchema, Field } from '../../src/index.ts';
import { lines, refusals } from './fixtures/declared.ts';
import { prototypes } from './fixtures/prototypes.ts';

class Edit {
  @IsString() old_text!: string;
  @IsString() @MinLength(2) new_text!: string;
  @IsOptional() @IsInt() count?: number;
}

class EditInput {
  @IsString() path!: string;
  @Field('In order', { type: () => Edit }) @IsArray() @ValidateNested() edits: Edit[] = [];
  @Field('Written at the top', { type: () => Edit }) @IsOptional() @ValidateNested() first?: Edit;
  @Field('Keyed by name', { values: () => Edit }) @IsOptional() named?: Record<string, Edit>;
  @Field('Anything by name', { values: 'any' }) @IsOptional() facts?: object;
  @IsOptional() @IsObject() @IsNotEmptyObject() extra?: object;
  @Field({ type: 'any' }) @IsOptional() @IsArray() parameters?: unknown[];
}

const EDIT = '"old_text":"x","new_text":"yy"';

describe('a hostile property', () => {
  it.each<[string, string, string]>([
    ['__proto__', '"__proto__":{"polluted":true}', 'is not known'],
    ['__proto__', '"__proto__":null', 'is not known'],
    ['constructor', '"constructor":{"prototype":{"polluted":true}}', 'is not known'],
    ['prototype', '"prototype":{"polluted":true}', 'is not known'],
    ['hasOwnProperty', '"hasOwnProperty":"x"', 'is not known'],
    ['isPrototypeOf', '"isPrototypeOf":1', 'is not known'],
    ['toString', '"toString":null', 'is not known'],
    ['toJSON', '"toJSON":"x"', 'is not known'],
    ['then', '"then":{}', 'is not known'],
    ['__defineGetter__', '"__defineGetter__":{}', 'is not known'],
    ['__lookupSetter__', '"__lookupSetter__":1', 'is not known'],
    ['edits.0.__proto__', `"edits":[{${EDIT},"__proto__":{"polluted":true}}]`, 'is not known'],
    ['edits.0.constructor', `"edits":[{${EDIT},"constructor":{}}]`, 'is not known'],
    ['edits.0.hasOwnProperty', `"edits":[{${EDIT},"hasOwnProperty":{}}]`, 'is not known'],
    ['first.__proto__', `"first":{${EDIT},"__proto__":{"count":9}}`, 'is not known'],
    ['named.__proto__', `"named":{"__proto__":{${EDIT}}}`, 'is not allowed as a name'],
    ['named.a.__proto__', `"named":{"a":{${EDIT},"__proto__":{}}}`, 'is not known'],
    ['named.constructor.constructor', `"named":{"constructor":{${EDIT},"constructor":{}}}`, 'is not known'],
    ['facts.__proto__', '"facts":{"__proto__":{"polluted":true}}', 'is not allowed as a name'],
    ['facts.a.1.__proto__', '"facts":{"a":[0,{"__proto__":1}]}', 'is not allowed as a name'],
    ['extra.__proto__', '"extra":{"__proto__":{"polluted":true}}', 'is not allowed as a name'],
    ['extra.a.b.__proto__', '"extra":{"a":{"b":{"__proto__":{"polluted":true}}}}', 'is not allowed as a name'],
    [
      'extra.constructor.prototype.__proto__',
      '"extra":{"constructor":{"prototype":{"__proto__":1}}}',
      'is not allowed as a name',
    ],
    ['parameters.1.__proto__', '"parameters":[{},{"__proto__":{"polluted":true}}]', 'is not allowed as a name'],
    ['parameters.0.0.a.__proto__', '"parameters":[[{"a":{"__proto__":[]}}]]', 'is not allowed as a name'],
  ])('is rejected with its path and changes no prototype: %s in %s', (path, json, message) => {
    const before = prototypes(EditInput, Edit);
    const { issues = [] } = ClassSchema.of(EditInput).parse(JSON.parse(`{"path":"a",${json}}`));
    expect(issues).toHaveLength(1);
    expect(lines(issues)[0]).toContain(`${path}: ${message}`);
    expect(prototypes(EditInput, Edit)).toEqual(before);
  });

  it('is an ordinary property if any name is allowed', () => {
    const json = `{"path":"a","named":{"constructor":{${EDIT}}},"extra":{"hasOwnProperty":1,"constructor":{"prototype":1}}}`;
    const { value } = ClassSchema.of(EditInput).parse(JSON.parse(json));
    expect(value?.named?.['constructor']).toBeInstanceOf(Edit);
    expect(value?.extra).toEqual({ hasOwnProperty: 1, constructor: { prototype: 1 } });
  });

  it('does not replace a declared property', () => {
    expect(refusals(EditInput, Object.create({ path: 'inherited' }))).toEqual(['path: is required']);
  });
});

describe('a large number of unknown properties', () => {
  it('is counted, and only the first ones are listed', () => {
    const given = Object.fromEntries(Array.from({ length: 100_000 }, (_, position) => [`pat${position}`, 1]));
    const { issues = [] } = ClassSchema.of(EditInput).parse({ path: 'a', ...given });
    expect(issues).toHaveLength(51);
    expect(issues.at(-1)).toEqual({ path: [], message: '… and 99950 more' });
  });
});
