import { IsArray, IsInt, IsOptional, IsString, MinLength, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ClassSchema, Field } from '../../src/index.ts';
import { lines, refusals } from './declared.ts';

class Edit {
  @IsString() old_text!: string;
  @IsString() @MinLength(2) new_text!: string;
  @IsOptional() @IsInt() count?: number;
}

class EditInput {
  @IsString() path!: string;
  @Field('In order', { type: () => Edit }) @IsArray() @ValidateNested() edits: Edit[] = [];
  @Field('Written at the top', { type: () => Edit }) @IsOptional() @ValidateNested() first?: Edit;
}

describe('an unknown property', () => {
  it.each<[string, string]>([
    ['pth', 'pth: is not known; did you mean "path"?'],
    ['edit', 'edit: is not known; did you mean "edits"?'],
    ['recursive', 'recursive: is not known'],
    ['', ': is not known'],
  ])('is refused, with the nearest name if one is near: %o', (key, expected) => {
    expect(refusals(EditInput, { path: 'a', [key]: 1 })).toEqual([expected]);
  });
});

describe('a hostile property', () => {
  it.each<[string, string]>([
    ['__proto__', '{"path":"a","__proto__":{"polluted":true}}'],
    ['constructor', '{"path":"a","constructor":{"prototype":{"polluted":true}}}'],
    ['prototype', '{"path":"a","prototype":{"polluted":true}}'],
    ['hasOwnProperty', '{"path":"a","hasOwnProperty":"x"}'],
    ['isPrototypeOf', '{"path":"a","isPrototypeOf":1}'],
    ['toString', '{"path":"a","toString":null}'],
    ['edits.0.__proto__', '{"path":"a","edits":[{"old_text":"x","new_text":"yy","__proto__":{"polluted":true}}]}'],
    ['edits.0.constructor', '{"path":"a","edits":[{"old_text":"x","new_text":"yy","constructor":{}}]}'],
    ['first.__proto__', '{"path":"a","first":{"old_text":"x","new_text":"yy","__proto__":{"count":9}}}'],
  ])('is refused with its path and changes no prototype: %s', (path, json) => {
    const { issues = [] } = ClassSchema.of(EditInput).parse(JSON.parse(json));
    expect(issues).toHaveLength(1);
    expect(lines(issues)[0]).toMatch(`${path}: is not known`);
    for (const prototype of [Object.prototype, EditInput.prototype, Edit.prototype])
      expect(prototype).not.toHaveProperty('polluted');
    expect(Object.getPrototypeOf(EditInput.prototype)).toBe(Object.prototype);
    expect(Object.getOwnPropertyNames(EditInput.prototype)).toEqual(['constructor']);
  });

  it('does not stand in for one that is declared', () => {
    expect(refusals(EditInput, Object.create({ path: 'inherited' }))).toEqual(['path: is required']);
  });
});
