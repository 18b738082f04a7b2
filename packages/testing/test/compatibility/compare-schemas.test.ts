import { describe, expect, it } from 'vitest';

import { compareSchemas } from '../../src/compatibility/compare-schemas.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Pairs of schemas for one property. Every value that fits the narrow schema fits the wide one, but not the other way round. */
const PAIRS: readonly (readonly [keyword: string, narrow: Schema, wide: Schema])[] = [
  ['type', { type: 'string' }, {}],
  ['type', { type: 'integer' }, { type: 'number' }],
  ['type', { type: 'string' }, { type: ['string', 'null'] }],
  ['enum', { type: 'string', enum: ['a'] }, { type: 'string', enum: ['a', 'b'] }],
  ['enum', { type: 'string', enum: ['a'] }, { type: 'string' }],
  ['enum', { const: 'a' }, { enum: ['a', 'b'] }],
  ['enum', { const: 1 }, { type: 'number' }],
  ['minimum', { minimum: 2 }, { minimum: 1 }],
  ['minimum', { minimum: 2 }, { exclusiveMinimum: 1 }],
  ['exclusiveMinimum', { exclusiveMinimum: 1 }, { minimum: 1 }],
  ['exclusiveMinimum', { exclusiveMinimum: 1 }, {}],
  ['maximum', { maximum: 1 }, { maximum: 2 }],
  ['maximum', { maximum: 1 }, { exclusiveMaximum: 2 }],
  ['exclusiveMaximum', { exclusiveMaximum: 2 }, { maximum: 2 }],
  ['multipleOf', { multipleOf: 4 }, { multipleOf: 2 }],
  ['multipleOf', { multipleOf: 4 }, {}],
  ['minLength', { minLength: 1 }, {}],
  ['maxLength', { maxLength: 10 }, { maxLength: 20 }],
  ['minItems', { minItems: 2 }, { minItems: 1 }],
  ['maxItems', { maxItems: 2 }, {}],
  ['minProperties', { minProperties: 1 }, {}],
  ['maxProperties', { maxProperties: 1 }, { maxProperties: 2 }],
  ['uniqueItems', { uniqueItems: true }, { uniqueItems: false }],
  ['pattern', { pattern: '^a' }, {}],
  ['format', { format: 'uuid' }, {}],
  ['contains', { contains: { type: 'string' } }, {}],
  ['not', { not: { enum: ['a'] } }, {}],
  ['propertyNames', { propertyNames: { maxLength: 3 } }, {}],
];

/** Structural differences, with the reported line for an input and for an output. */
const STRUCTURES: readonly (readonly [
  name: string,
  narrow: Schema,
  wide: Schema,
  lines: readonly [input: string, output: string],
])[] = [
  [
    'elements',
    { type: 'array', items: { type: 'string' } },
    { type: 'array', items: {} },
    ['argument x[]: type was not set, is "string"', 'result x[]: type was "string", is not set'],
  ],
  [
    'a nested property',
    object({ a: { type: 'integer' } }),
    object({ a: { type: 'number' } }),
    ['argument x.a: type was "number", is "integer"', 'result x.a: type was "integer", is "number"'],
  ],
  [
    'a required property',
    object({ a: {} }, { required: ['a'] }),
    object({ a: {} }),
    ['argument x.a is newly required', 'result x.a is no longer guaranteed'],
  ],
  [
    'the values of a map',
    object({}, { additionalProperties: { type: 'integer' } }),
    object({}, { additionalProperties: { type: 'number' } }),
    ['argument x.*: type was "number", is "integer"', 'result x.*: type was "integer", is "number"'],
  ],
  [
    'other properties',
    object({}, { additionalProperties: false }),
    object({}),
    ['argument x: other properties are no longer accepted', 'result x: other properties may be present now'],
  ],
  [
    'an alternative',
    { oneOf: [kind('move')] },
    { oneOf: [kind('move'), kind('copy')] },
    ['argument x.kind: enum was ["copy"], is ["move"]', 'result x.kind: enum was ["move"], is ["copy"]'],
  ],
  [
    'something in an alternative',
    { oneOf: [kind('move', { to: { type: 'string' } }), kind('copy')] },
    { anyOf: [kind('copy'), kind('move', { to: {} })] },
    ['argument x.to: type was not set, is "string"', 'result x.to: type was "string", is not set'],
  ],
  [
    'one type instead of two alternatives',
    { type: 'string' },
    { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    ['argument x: type was "integer", is "string"', 'result x: type was "string", is "integer"'],
  ],
];

function object(properties: Schema, more: Schema = {}): Schema {
  return { type: 'object', properties, ...more };
}

function kind(name: string, properties: Schema = {}): Schema {
  return object({ kind: { const: name }, ...properties }, { required: ['kind'] });
}

function inside(schema: Schema): Schema {
  return object({ x: schema });
}

describe('a property with a narrower schema', () => {
  it.each(PAIRS)('breaks senders and not receivers: %s', (keyword, narrow, wide) => {
    expect(compareSchemas(inside(wide), inside(narrow), 'input')).toEqual([
      expect.stringContaining(`argument x: ${keyword} was `),
    ]);
    expect(compareSchemas(inside(wide), inside(narrow), 'output')).toEqual([]);
  });

  it.each(STRUCTURES)('breaks senders and not receivers: %s', (_, narrow, wide, [line]) => {
    expect(compareSchemas(inside(wide), inside(narrow), 'input')).toEqual([line]);
    expect(compareSchemas(inside(wide), inside(narrow), 'output')).toEqual([]);
  });
});

describe('a property with a wider schema', () => {
  it.each(PAIRS)('breaks receivers and not senders: %s', (keyword, narrow, wide) => {
    expect(compareSchemas(inside(narrow), inside(wide), 'output')).toEqual([
      expect.stringContaining(`result x: ${keyword} was `),
    ]);
    expect(compareSchemas(inside(narrow), inside(wide), 'input')).toEqual([]);
  });

  it.each(STRUCTURES)('breaks receivers and not senders: %s', (_, narrow, wide, [, line]) => {
    expect(compareSchemas(inside(narrow), inside(wide), 'output')).toEqual([line]);
    expect(compareSchemas(inside(narrow), inside(wide), 'input')).toEqual([]);
  });
});

describe('a property that changed', () => {
  it.each<[string, Schema, Schema]>([
    ['type', { type: 'string' }, { type: 'integer' }],
    ['pattern', { pattern: '^a' }, { pattern: '^b' }],
    ['format', { format: 'uuid' }, { format: 'ip' }],
    ['multipleOf', { multipleOf: 2 }, { multipleOf: 3 }],
    ['enum', { enum: ['a'] }, { enum: ['b'] }],
  ])('breaks both sides: %s', (keyword, before, after) => {
    for (const direction of ['input', 'output'] as const)
      expect(compareSchemas(inside(before), inside(after), direction)).toEqual([expect.stringContaining(` x: ${keyword} was `)]);
  });

  it.each<[string, Schema, Schema]>([
    ['descriptions', { title: 'a', description: 'b', default: 1, $comment: 'c' }, { title: 'd', examples: [1] }],
    ['a header', { type: 'string', 'x-mcp-header': 'A' }, { type: 'string' }],
    ['a single value, written in another way', { const: 'a' }, { enum: ['a'] }],
    ['the order of alternatives', { oneOf: [kind('move'), kind('copy')] }, { anyOf: [kind('copy'), kind('move')] }],
    ['the schema true', { items: true }, { items: {} }],
  ])('is compatible if only its notation changed: %s', (_, before, after) => {
    for (const direction of ['input', 'output'] as const)
      expect(compareSchemas(inside(before), inside(after), direction)).toEqual([]);
  });
});

describe('a property', () => {
  it('breaks senders and receivers if it was removed, and is reported once', () => {
    const before = object({ a: object({ b: {} }, { required: ['b'] }) });
    expect(compareSchemas(before, object({ a: object({}) }), 'input')).toEqual(['argument a.b was removed']);
    expect(compareSchemas(before, object({ a: object({}) }), 'output')).toEqual(['result a.b was removed']);
  });

  it('is compatible if it is new, unless it is required or additional properties were forbidden', () => {
    const closed = object({}, { additionalProperties: false });
    expect(compareSchemas(closed, object({ a: {} }, { additionalProperties: false }), 'input')).toEqual([]);
    expect(compareSchemas(object({}), object({ a: {} }, { required: ['a'] }), 'output')).toEqual([]);
    expect(compareSchemas(object({}), object({ a: {} }, { required: ['a'] }), 'input')).toEqual(['argument a is newly required']);
    expect(compareSchemas(closed, object({ a: {} }, { additionalProperties: false }), 'output')).toEqual([
      'result a is new, but the schema allowed no further properties',
    ]);
  });
});

describe('a schema that contains itself', () => {
  function tree(value: Schema): Schema {
    const node = object({ value, children: { type: 'array', items: { $ref: '#/$defs/a~1node' } } });
    return object({ root: { $ref: '#/$defs/a~1node' } }, { $defs: { 'a/node': node } });
  }

  it('is compared only once', () => {
    const [text, number] = [tree({ type: 'string' }), tree({ type: 'number' })];
    expect(compareSchemas(text, tree({ type: 'string' }), 'input')).toEqual([]);
    expect(compareSchemas(text, number, 'input')).toEqual(['argument root.value: type was "string", is "number"']);
  });

  it('can replace a schema without recursion', () => {
    const leaf = object({ value: { type: 'string' } });
    const written = object({ root: object({ ...leaf['properties']!, children: { type: 'array', items: leaf } }) });
    expect(compareSchemas(written, tree({ type: 'string' }), 'input')).toEqual([]);
  });
});
