import { Equals, IsArray, IsInt, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ClassSchema, Field } from '../../src/index.ts';

class Author {
  @IsString() name!: string;
  @IsOptional() @IsString() email?: string;
}
class Note {
  @IsString() title!: string;
  @IsOptional() @IsInt() words?: number;
  @Field('Its author', { type: () => Author }) @IsOptional() @ValidateNested() author?: Author;
  @Field('Its reader', { type: () => Author }) @IsOptional() @IsArray() @ValidateNested() readers?: Author[];
  @IsOptional() @IsObject() extra?: object;
}

const schema = ClassSchema.of(Note);

describe('a projection', () => {
  it.each<[string, object, object]>([
    ['undeclared properties', { title: 'a', secret: 'x' }, { title: 'a' }],
    ['those of a nested object', { title: 'a', author: { name: 'n', secret: 'x' } }, { title: 'a', author: { name: 'n' } }],
    [
      'those of each element',
      {
        title: 'a',
        readers: [
          { name: 'n', secret: 'x' },
          { name: 'm', email: 'e' },
        ],
      },
      { title: 'a', readers: [{ name: 'n' }, { name: 'm', email: 'e' }] },
    ],
    ['what is undefined', { title: 'a', words: undefined }, { title: 'a' }],
    ['what is inherited', Object.assign(Object.create({ words: 3 }), { title: 'a' }), { title: 'a' }],
    [
      'what is not enumerable',
      Object.defineProperty(Object.assign(new Note(), { title: 'a' }), 'words', { value: 3, enumerable: false }),
      { title: 'a' },
    ],
  ])('drops %s', (_, value, expected) => {
    expect(schema.project(value)).toStrictEqual({ value: expected });
  });

  it.each<[string, object]>([
    ['a free-form object', { title: 'a', extra: { any: ['thing'] } }],
    ['an empty list', { title: 'a', readers: [] }],
  ])('keeps %s unchanged', (_, value) => {
    expect(schema.project(value)).toStrictEqual({ value });
  });

  it('is a copy', () => {
    const note = { title: 'a', author: { name: 'n' } };
    const { value } = schema.project(note);
    expect(value).not.toBe(note);
    expect(value?.['author']).not.toBe(note.author);
  });

  it("does not copy a prototype's property for a hostile name", () => {
    const { value: projected } = schema.project(
      JSON.parse('{"title":"a","__proto__":{"polluted":true},"author":{"name":"n","__proto__":{"x":1}}}'),
    );
    expect(projected).toStrictEqual({ title: 'a', author: { name: 'n' } });
    expect(projected).not.toHaveProperty('polluted');
  });
});

describe('a projection of a value with several shapes', () => {
  class Circle {
    @Equals('circle') kind = 'circle' as const;
    @IsInt() radius!: number;
  }
  class Square {
    @Equals('square') kind!: 'square';
    @IsInt() width!: number;
  }
  class Tree {
    @IsString() name!: string;
    @Field({ type: () => Tree }) @IsOptional() @ValidateNested({ each: true }) children?: Tree[];
  }
  class Report {
    @Field({ oneOf: () => [Circle, Square], discriminator: 'kind' }) @IsOptional() @IsArray() shapes?: (Circle | Square)[];
    @Field({ values: () => Author }) @IsOptional() byName?: Record<string, Author>;
    @Field({ type: () => Tree }) @IsOptional() @ValidateNested() tree?: Tree;
    @Field({ type: 'any' }) @IsOptional() anything?: unknown;
  }
  const report = ClassSchema.of(Report);

  it.each<[string, object, object]>([
    [
      'of each member of a union',
      {
        shapes: [
          { kind: 'square', width: 1, radius: 2 },
          { kind: 'circle', radius: 3, width: 4 },
        ],
      },
      {
        shapes: [
          { kind: 'square', width: 1 },
          { kind: 'circle', radius: 3 },
        ],
      },
    ],
    ['of the values of a map', { byName: { a: { name: 'n', secret: 'x' } } }, { byName: { a: { name: 'n' } } }],
    [
      'of every depth of a class that contains itself',
      { tree: { name: 'a', secret: 1, children: [{ name: 'b', secret: 2, children: [{ name: 'c', secret: 3 }] }] } },
      { tree: { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] } },
    ],
  ])('drops the undeclared properties %s', (_, value, expected) => {
    expect(report.project(value)).toStrictEqual({ value: expected });
  });

  it('keeps free-form values unchanged, and every key of a map', () => {
    const value = { byName: JSON.parse('{"__proto__":{"name":"n"},"toString":{"name":"m"}}'), anything: [null, { a: [1] }] };
    const { value: projected } = report.project(value);
    expect(projected).toStrictEqual(value);
    expect(Object.keys(Object(projected?.['byName']))).toEqual(['__proto__', 'toString']);
    expect(Object.getPrototypeOf(projected?.['byName'])).toBe(Object.prototype);
  });

  it('selects union members by the initial values of their discriminators', () => {
    expect(report.project({ shapes: [Object.assign(new Circle(), { radius: 1 })] })).toStrictEqual({
      value: { shapes: [{ kind: 'circle', radius: 1 }] },
    });
  });
});
