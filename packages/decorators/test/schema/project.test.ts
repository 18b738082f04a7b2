import { IsArray, IsInt, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { ClassSchema, Field } from '../../src/index.ts';

class Author {
  @IsString() name!: string;
  @IsOptional() @IsString() email?: string;
}
class Note {
  @IsString() title!: string;
  @IsOptional() @IsInt() words?: number;
  @Field('Who wrote it', { type: () => Author }) @IsOptional() @ValidateNested() author?: Author;
  @Field('Who read it', { type: () => Author }) @IsOptional() @IsArray() @ValidateNested() readers?: Author[];
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
    ['what is inherited', Object.create({ title: 'inherited' }), {}],
  ])('leaves behind %s', (_, value, expected) => {
    expect(schema.project(value)).toStrictEqual(expected);
  });

  it.each<[string, object]>([
    ['a free-form object', { title: 'a', extra: { any: ['thing'] } }],
    ['null', { title: 'a', author: null, words: null }],
    ['an empty list', { title: 'a', readers: [] }],
    ['elements that are no objects', { title: 'a', readers: [null, 'n'] }],
  ])('keeps %s as it is', (_, value) => {
    expect(schema.project(value)).toStrictEqual(value);
  });

  it('is a copy', () => {
    const note = { title: 'a', author: { name: 'n' } };
    const projected = schema.project(note);
    expect(projected).not.toBe(note);
    expect(projected['author']).not.toBe(note.author);
  });

  it('has no property of a prototype by a hostile name', () => {
    const projected = schema.project(
      JSON.parse('{"title":"a","__proto__":{"polluted":true},"author":{"name":"n","__proto__":{"x":1}}}'),
    );
    expect(projected).toStrictEqual({ title: 'a', author: { name: 'n' } });
    expect(projected).not.toHaveProperty('polluted');
  });
});
