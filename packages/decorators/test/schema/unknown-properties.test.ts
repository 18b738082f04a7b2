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
    ['recursive', 'recursive: is not known'],
    ['', ': is not known'],
  ])('is rejected, with the nearest name if one is close: %o', (key, expected) => {
    expect(refusals(EditInput, { path: 'a', [key]: 1 })).toEqual([expected]);
  });
});
