import { describe, expect, it } from 'vitest';

import { describeType, freeze, hasType, isJsonValue, type JsonType } from '../../src/schema/json-schema.ts';

describe('a value', () => {
  it.each<[unknown, string, readonly JsonType[]]>([
    ['', 'a string', ['string']],
    [0, 'a number', ['number', 'integer']],
    [0.5, 'a number', ['number']],
    [Infinity, 'a number', []],
    [Number.NaN, 'a number', []],
    [true, 'a boolean', ['boolean']],
    [[], 'an array', ['array']],
    [{}, 'an object', ['object']],
    [null, 'null', []],
    [undefined, 'nothing', []],
  ])('%o is described as %s, and has only its own type', (value, name, types) => {
    const all: readonly JsonType[] = ['string', 'number', 'integer', 'boolean', 'array', 'object'];
    expect(describeType(value)).toBe(name);
    expect(all.filter((type) => hasType(value, type))).toEqual(types);
  });
});

describe('a JSON value', () => {
  it.each<[string, unknown, boolean]>([
    ['nested arrays and objects', { a: [1, 'b', null, { c: false }] }, true],
    ['undefined', undefined, false],
    ['undefined inside', { a: [undefined] }, false],
    ['no number', [Number.NaN], false],
    ['a function', { a: () => 1 }, false],
    ['a bigint', 1n, false],
  ])('is recognised: %s', (_, value, expected) => {
    expect(isJsonValue(value)).toBe(expected);
  });
});

describe('a frozen schema', () => {
  it('is frozen in all its parts', () => {
    const schema = freeze({ type: 'object', properties: { a: { enum: ['x'] } } });
    expect([schema, schema.properties, schema.properties.a, schema.properties.a.enum].every(Object.isFrozen)).toBe(true);
  });
});
