import { describe, expect, it } from 'vitest';

import {
  Complete,
  Disabled,
  Feature,
  Field,
  Flag,
  Integer,
  ListOf,
  McpServer,
  ObjectOf,
  OneOf,
  Prompt,
  Resource,
  Text,
  TextList,
  Tool,
} from '../../src/index.ts';
import { DefinitionError } from '../../src/metadata/definition-error.ts';

class Line {
  static read(): void {}
}

const ON_METHODS: Readonly<Record<string, unknown>> = {
  '@Tool': Tool({ description: 'Read a note' }),
  '@Resource': Resource({ uri: 'notes://index' }),
  '@Prompt': Prompt({}),
  '@Complete': Complete({ prompt: 'review', argument: 'path' }),
  '@Disabled': Disabled(),
};
const ON_PROPERTIES: Readonly<Record<string, unknown>> = {
  '@Feature': Feature(),
  '@Field': Field('Path'),
  '@Text': Text('Path'),
  '@Integer': Integer('Count'),
  '@Flag': Flag('Hidden'),
  '@OneOf': OneOf(['asc', 'desc'], 'Order'),
  '@TextList': TextList('Tags'),
  '@ListOf': ListOf(() => Line, 'Lines'),
  '@ObjectOf': ObjectOf(() => Line, 'Line'),
};
const FACTORIES = {
  Tool,
  Resource,
  Prompt,
  Complete,
  Disabled,
  Feature,
  Field,
  Text,
  Integer,
  Flag,
  OneOf,
  TextList,
  ListOf,
  ObjectOf,
};

/** Creates the second argument that compilers pass to standard decorators. */
function standardContext(kind: string, name: string): object {
  return { kind, name, static: false, private: false, addInitializer: () => undefined, metadata: {} };
}

function apply(decorate: unknown, ...given: readonly unknown[]): () => void {
  return () => {
    if (typeof decorate === 'function') Reflect.apply(decorate, undefined, given);
  };
}

function problemOf(act: () => void): string {
  try {
    act();
    return 'nothing was thrown';
  } catch (error) {
    return DefinitionError.is(error) ? error.message : `not a definition error: ${String(error)}`;
  }
}

const STANDARD =
  'runs as a standard (TC39) decorator, which is not supported; compile with "experimentalDecorators": true. ' +
  'With tsx, also list the file in "include" of tsconfig.json';

describe('a decorator that runs as a standard decorator is rejected with the member and the remedy:', () => {
  it.each(Object.entries(ON_METHODS))('%s of a method', (name, decorate) => {
    const act = apply(decorate, () => undefined, standardContext('method', 'readNote'));
    expect(problemOf(act)).toBe(`readNote: ${name} ${STANDARD}`);
  });

  it.each(Object.entries(ON_PROPERTIES))('%s of a property', (name, decorate) => {
    expect(problemOf(apply(decorate, undefined, standardContext('field', 'path')))).toBe(`path: ${name} ${STANDARD}`);
  });

  it('@McpServer of a class', () => {
    const act = apply(McpServer({ name: 'notes' }), Line, standardContext('class', 'Line'));
    expect(problemOf(act)).toBe(`Line: @McpServer ${STANDARD}`);
  });
});

describe('a decorator without parentheses is rejected with the member and the remedy:', () => {
  it.each(Object.entries(FACTORIES))('@%s', (name, factory) => {
    const expected = `Line.value: @${name} has no parentheses; write @${name}(…)`;
    expect(problemOf(apply(factory, Line.prototype, 'value', undefined))).toBe(expected);
  });

  it.each(Object.entries(FACTORIES))('@%s that runs as a standard decorator', (name, factory) => {
    const act = apply(factory, undefined, standardContext('field', 'value'));
    expect(problemOf(act)).toBe(`value: @${name} has no parentheses; write @${name}(…)`);
  });

  it('@McpServer', () => {
    expect(problemOf(apply(McpServer, Line))).toBe('Line: @McpServer has no parentheses; write @McpServer(…)');
  });
});

describe('a static member is rejected:', () => {
  it.each(Object.entries({ ...ON_METHODS, ...ON_PROPERTIES }))('%s', (name, decorate) => {
    expect(problemOf(apply(decorate, Line, 'read'))).toBe(`Line.read: ${name} decorates a static member; remove "static"`);
  });
});

describe('a member that a symbol names is rejected:', () => {
  it.each(Object.entries({ ...ON_METHODS, ...ON_PROPERTIES }))('%s', (name, decorate) => {
    const expected = `Line.Symbol(read): ${name} decorates a symbol; name the member by a string`;
    expect(problemOf(apply(decorate, Line.prototype, Symbol('read')))).toBe(expected);
  });
});
