import { IsArray, IsInt, IsOptional, IsString, MinLength, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Field } from '../../src/index.ts';
import { refusals } from './fixtures/declared.ts';

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
    ['recursive', 'recursive: is not known; the known names are path, edits, first'],
    ['', ': is not known; the known names are path, edits, first'],
  ])('is rejected, with the nearest name if one is close, otherwise with the known names: %o', (key, expected) => {
    expect(refusals(EditInput, { path: 'a', [key]: 1 })).toEqual([expected]);
  });

  it('is rejected with the known names only once for each object', () => {
    expect(refusals(EditInput, { path: 'a', recursive: 1, verbose: 2 })).toEqual([
      'recursive: is not known; the known names are path, edits, first',
      'verbose: is not known',
    ]);
  });

  it('is rejected with at most 40 known names', () => {
    const names = Array.from({ length: 41 }, (_, index) => `name${String(index)}`);
    class Many {}
    for (const name of names) IsOptional()(Many.prototype, name);
    const shown = names.slice(0, 40).join(', ');
    expect(refusals(Many, { recursively: 1 })).toEqual([`recursively: is not known; the known names are ${shown} and 1 more`]);
  });
});

describe('a property of a nested object that is given beside the object', () => {
  class Place {
    @IsString() city!: string;
  }

  class OrderInput {
    @Field('Lines', { type: () => Edit }) @IsArray() @ValidateNested() lines: Edit[] = [];
    @Field('Where', { type: () => Place }) @IsOptional() @ValidateNested() place?: Place;
  }

  it.each<[string, string]>([
    ['old_text', 'old_text: is not known; belongs in an element of "lines"'],
    ['city', 'city: is not known; belongs in "place"'],
  ])('is rejected with the place where it belongs: %s', (key, expected) => {
    expect(refusals(OrderInput, { [key]: 'x' })).toEqual([expected]);
  });
});
