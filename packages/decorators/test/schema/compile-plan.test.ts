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
  @Field('Its type', { title: 'Name', format: 'note-id', titles: { a: 'A' } }) @IsIn(['a', 'b']) name!: string;
  @Field('Its place', { type: () => Point }) @IsOptional() place?: object;
}

const propertyOf = (target: Constructor, name: string): object | undefined => ClassSchema.of(target).input.properties[name];

describe('the @Field of a redeclared property', () => {
  it('replaces the given options and inherits the rest', () => {
    class Below extends Above {
      @Field('Name of it', { titles: { b: 'B' } }) declare name: string;
    }
    expect(propertyOf(Below, 'name')).toEqual({
      title: 'Name',
      description: 'Name of it',
      type: 'string',
      format: 'note-id',
      oneOf: [
        { const: 'a', title: 'a' },
        { const: 'b', title: 'B' },
      ],
    });
    expect(propertyOf(Above, 'name')).toMatchObject({ title: 'Name', description: 'Its type' });
  });

  it('inherits the description if it has none', () => {
    class Below extends Above {
      @Field({ title: 'Place' }) declare place?: object;
    }
    expect(propertyOf(Below, 'place')).toMatchObject({ title: 'Place', description: 'Its place', required: ['x'] });
  });

  it('replaces an inherited type, oneOf or values', () => {
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
  it('are in order of declaration, with rules or only @Field', () => {
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
