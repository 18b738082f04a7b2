import { IsArray, IsIn, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ClassSchema, Field, type Constructor } from '../../src/index.ts';

class Point {
  @IsInt() x!: number;
}
class Label {
  @IsIn(['label']) kind!: 'label';
}

class Above {
  @Field('What it is', { title: 'Name', format: 'note-id', titles: { a: 'A' } }) @IsIn(['a', 'b']) name!: string;
  @Field('Where it is', { type: () => Point }) @IsOptional() place?: object;
}

const propertyOf = (target: Constructor, name: string): object | undefined => ClassSchema.of(target).input.properties[name];

describe('the @Field of a redeclared property', () => {
  it('replaces what it gives and keeps the rest', () => {
    class Below extends Above {
      @Field('What it is called', { titles: { b: 'B' } }) declare name: string;
    }
    expect(propertyOf(Below, 'name')).toEqual({
      title: 'Name',
      description: 'What it is called',
      type: 'string',
      format: 'note-id',
      oneOf: [
        { const: 'a', title: 'a' },
        { const: 'b', title: 'B' },
      ],
    });
    expect(propertyOf(Above, 'name')).toMatchObject({ title: 'Name', description: 'What it is' });
  });

  it('keeps the description above if it has none', () => {
    class Below extends Above {
      @Field({ title: 'Place' }) declare place?: object;
    }
    expect(propertyOf(Below, 'place')).toMatchObject({ title: 'Place', description: 'Where it is', required: ['x'] });
  });

  it('says by one option what a value is made of, whichever stood above', () => {
    class Union extends Above {
      @Field({ oneOf: () => [Label], discriminator: 'kind' }) declare place?: object;
    }
    class Narrowed extends Union {
      @Field({ oneOf: () => [Label] }) declare place?: object;
    }
    class Map extends Narrowed {
      @Field({ values: 'string' }) declare place?: object;
    }
    class Again extends Map {
      @Field({ type: () => Point }) declare place?: object;
    }
    expect([Union, Narrowed, Map, Again].flatMap((target) => ClassSchema.of(target).problems)).toEqual([]);
    expect(propertyOf(Narrowed, 'place')).toMatchObject({ oneOf: [{ required: ['kind'] }] });
    expect(propertyOf(Map, 'place')).toMatchObject({ additionalProperties: { type: 'string' } });
    expect(propertyOf(Again, 'place')).toEqual(propertyOf(Above, 'place'));
  });
});

describe('the properties of a class', () => {
  it('are in the order of their declaration, with rules or with @Field alone', () => {
    class Mixed {
      @Field({ type: 'any' }) first!: unknown;
      @Field('Second') @IsInt() second!: number;
      @Field('Third') @IsString() third!: string;
      @Field({ values: 'string' }) fourth!: object;
      @Field('Fifth', { type: () => Point }) @IsArray() @ValidateNested() fifth!: Point[];
      @Field({ type: 'string' }) sixth!: string;
    }
    class More extends Mixed {
      @Field({ type: 'any' }) seventh!: unknown;
      @IsString() declare third: string;
    }
    const names = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
    expect(Object.keys(ClassSchema.of(Mixed).input.properties)).toEqual(names);
    expect(Object.keys(ClassSchema.of(More).input.properties)).toEqual([...names, 'seventh']);
  });
});
