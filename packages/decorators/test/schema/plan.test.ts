import { IsArray, IsInt, IsOptional, IsString, ValidateIf, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ClassSchema, Field, type Constructor } from '../../src/index.ts';

const SHARED = ['docs'];

class Range {
  @Field('First line') @IsInt() from!: number;
  @IsInt() to = 9;
}
class Search {
  @Field('What to find', { title: 'Pattern' }) @IsString() pattern!: string;
  @IsOptional() @IsString() glob?: string;
  @IsString({ each: true }) folders: string[] = SHARED;
  @Field('Lines to look at', { type: () => Range }) @IsOptional() @ValidateNested() lines?: Range;
  @Field('Lines to leave out', { type: () => Range }) @IsArray() @ValidateNested() without: Range[] = [];
}

const RANGE = {
  type: 'object',
  properties: { from: { type: 'integer', description: 'First line' }, to: { type: 'integer', default: 9 } },
  required: ['from'],
};
const SEARCH = {
  type: 'object',
  properties: {
    pattern: { type: 'string', title: 'Pattern', description: 'What to find' },
    glob: { type: 'string' },
    folders: { type: 'array', items: { type: 'string' }, default: ['docs'] },
  },
  required: ['pattern'],
};

describe('the schema of a class', () => {
  it('is closed for input, its nested classes too; initialisers are its defaults', () => {
    const range = { ...RANGE, additionalProperties: false };
    expect(ClassSchema.of(Search).input).toEqual({
      ...SEARCH,
      properties: {
        ...SEARCH.properties,
        lines: { ...range, description: 'Lines to look at' },
        without: { type: 'array', items: range, description: 'Lines to leave out', default: [] },
      },
      additionalProperties: false,
    });
  });

  it('is open for output, so that fields can be added later', () => {
    expect(ClassSchema.of(Search).output).toEqual({
      ...SEARCH,
      properties: {
        ...SEARCH.properties,
        lines: { ...RANGE, description: 'Lines to look at' },
        without: { type: 'array', items: RANGE, description: 'Lines to leave out', default: [] },
      },
    });
  });

  it('is made once and frozen in all its parts', () => {
    const { input, output } = ClassSchema.of(Search);
    expect(ClassSchema.of(Search)).toMatchObject({ input, output });
    expect(ClassSchema.of(Search).input).toBe(input);
    const parts = [
      input,
      output,
      input.properties,
      input.required,
      input.properties['folders'],
      input.properties['folders']?.default,
    ];
    expect(parts.every(Object.isFrozen)).toBe(true);
  });

  it('freezes nothing that belongs to the class', () => {
    expect(ClassSchema.of(Search).input.properties['folders']?.default).toEqual(SHARED);
    expect(Object.isFrozen(SHARED)).toBe(false);
  });
});

describe('a mistake in a class', () => {
  class Typeless {
    @Field('No rule says what it is') path!: string;
  }
  class Conflicting {
    @IsString() @IsInt() path!: unknown;
  }
  class Elementless {
    @IsArray() paths!: string[];
  }
  class Nestless {
    @IsOptional() @ValidateNested() lines?: Range;
  }
  class Conditional {
    @ValidateIf(() => true) @IsString() path!: string;
  }
  class Looped {
    @Field('Inside', { type: () => Looped }) @IsOptional() @ValidateNested() inner?: Looped;
  }
  class Picky {
    @IsString() path: string;
    constructor(given: { path: string }) {
      this.path = given.path;
    }
  }
  class Outer {
    @Field('Inside', { type: () => Typeless }) @ValidateNested() inner!: Typeless;
  }

  it.each<[string, Constructor, readonly string[]]>([
    ['no type', Typeless, ['Typeless.path: has no type; add a rule of class-validator, such as @IsString()']],
    ['two types', Conflicting, ['Conflicting.path: conflicting types integer and string']],
    [
      'no element type',
      Elementless,
      ['Elementless.paths: is an array without element type; add a rule such as @IsString({ each: true }), or @Field('],
    ],
    [
      'no nested class',
      Nestless,
      ["Nestless.lines: @ValidateNested() needs the class: @Field('…', { type: () => Dto })", 'Nestless.lines: has no type'],
    ],
    ['a condition', Conditional, ['Conditional.path: @ValidateIf() is not supported']],
    ['a class inside itself', Looped, ['Looped.inner: Looped contains itself', 'Looped.inner: has no type']],
    ['a constructor that needs something', Picky, ['Picky: cannot be instantiated without arguments']],
    ['one in a nested class', Outer, ['Typeless.path: has no type']],
  ])('is reported with Class.property and the remedy: %s', (_, target, expected) => {
    const { problems } = ClassSchema.of(target);
    expect(problems).toEqual(expected.map((beginning) => expect.stringContaining(beginning)));
  });

  it('is absent from a usable class', () => {
    expect(ClassSchema.of(Search).problems).toEqual([]);
  });
});
