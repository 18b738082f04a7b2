import { IsInt, IsString, Min } from 'class-validator';
import { describe, expect, expectTypeOf, it } from 'vitest';

import { ClassSchema } from '../../src/schema/class-schema.ts';

class Window {
  @IsString() path!: string;
  @IsInt() @Min(1) limit = 10;
}

const schema = ClassSchema.of(Window);

describe('a class schema', () => {
  it('returns an instance of the class', () => {
    const { value } = schema.parse({ path: 'a' });
    expectTypeOf(value).toEqualTypeOf<Window | undefined>();
    expect(value).toBeInstanceOf(Window);
    expect(value).toEqual({ path: 'a', limit: 10 });
  });

  it('returns all issues without an instance', () => {
    expect(schema.parse({ limit: 0, pth: 'a' })).toEqual({
      issues: [
        { path: ['pth'], message: 'is not known; did you mean "path"?' },
        { path: ['path'], message: 'is required' },
        { path: ['limit'], message: 'must not be less than 1' },
      ],
    });
  });

  it('parses every value without throwing', () => {
    const values = [undefined, null, 0, 'a', [], Symbol('a'), () => 1, new Map(), Object.create(null), new Proxy({}, {})];
    for (const value of values) expect(schema.parse(value).issues).not.toEqual([]);
  });

  it('does not change the value it parses', () => {
    const given = Object.freeze({ path: 'a', limit: null });
    expect(schema.parse(given).value).toEqual({ path: 'a', limit: 10 });
  });
});

describe('the Standard Schema of a class', () => {
  const standard = schema['~standard'];

  it('has version 1 and a vendor', () => {
    expect(standard).toMatchObject({ version: 1, vendor: '@org/mcp-decorators' });
  });

  it('validates like the class schema', () => {
    expect(standard.validate({ path: 'a' }).value).toBeInstanceOf(Window);
    expect(standard.validate({ path: 1 }).issues).toEqual([{ path: ['path'], message: 'expected a string, got 1' }]);
  });

  it('returns the JSON Schemas of both directions', () => {
    expect(standard.jsonSchema.input()).toEqual(schema.input);
    expect(standard.jsonSchema.output()).toEqual(schema.output);
    expect(standard.jsonSchema.input()).toMatchObject({ type: 'object', additionalProperties: false });
    expect(standard.jsonSchema.output()).not.toHaveProperty('additionalProperties');
  });
});
