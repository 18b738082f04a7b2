import { describe, expect, it } from 'vitest';

import { Feature, McpServer, Tool, compileServer } from '../../src/index.ts';
import { readProblems } from './read-problems.ts';

class Search {
  @Tool({ description: 'Find notes' }) find(): void {}
}
class DeepSearch extends Search {
  @Tool({ description: 'Find deeply' }) findDeeply(): void {}
}
class Wordless {
  find(): void {}
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Tool({ description: 'Read a note' }) read(): void {}
}
class Searching extends Notes {
  @Feature({ type: () => Search }) readonly search: object;
  constructor(search: unknown = new Search()) {
    super();
    this.search = search as object;
  }
}

function toolsOf(server: object): readonly string[] {
  return [...compileServer(server).tools.keys()];
}

describe('a compiled server object', () => {
  it('has the members of the objects in its properties, which may differ per instance', () => {
    expect([new Searching(new DeepSearch()), new Searching(), Searching].map(toolsOf)).toEqual([
      ['read', 'find', 'find_deeply'],
      ['read', 'find'],
      ['read', 'find'],
    ]);
  });

  it('has the members of an object that a subclass assigned, without a decorator', () => {
    class Deep extends Searching {
      override readonly search: DeepSearch = new DeepSearch();
    }
    expect(toolsOf(new Deep())).toEqual(['read', 'find', 'find_deeply']);
  });

  it('may contain a feature whose class is only known at run time', () => {
    class Erased extends Notes {
      @Feature() readonly search: object = new Search();
    }
    expect(toolsOf(new Erased())).toEqual(['read', 'find']);
    expect(readProblems(Erased)).toEqual([expect.stringContaining('Erased.search: the class of the feature is not known')]);
  });

  it('is compiled once per object with features, otherwise once per class', () => {
    const searching = new Searching();
    expect(compileServer(searching)).toBe(compileServer(searching));
    expect(compileServer(searching)).not.toBe(compileServer(new Searching()));
    expect(compileServer(new Notes())).toBe(compileServer(Notes));
  });
});

describe('a feature property without a usable feature', () => {
  it.each<[string, unknown, string]>([
    ['undefined', null, 'is empty; assign the feature in the constructor'],
    ['a string', 'search', 'contains a string; a feature must be an object'],
    ['a class', Search, 'contains a function; a feature must be an object'],
    [
      'an object without a class',
      {},
      'contains an object without a class; a feature must be an instance of a class with annotated methods',
    ],
    [
      'an object without a prototype',
      Object.create(null),
      'contains an object without a class; a feature must be an instance of a class with annotated methods',
    ],
    [
      'an object without annotations',
      new Wordless(),
      'contains Wordless, which has no annotated method; remove @Feature(), or decorate a method',
    ],
  ])('is a definition error: %s', (_, held, problem) => {
    expect(readProblems(new Searching(held))).toEqual([`Searching.search: ${problem}`]);
  });

  it('is a definition error: never assigned', () => {
    class Late extends Notes {
      @Feature() readonly search!: Search;
    }
    expect(readProblems(new Late())).toEqual(['Late.search: is empty; assign the feature in the constructor']);
  });

  it('is a definition error: the server itself, or an object that contains the feature', () => {
    class Inner extends Search {
      @Feature({ type: () => DeepSearch }) outer!: object;
    }
    const inner = new Inner();
    const server = new Searching(inner);
    inner.outer = server;
    expect(readProblems(server)).toEqual([
      'Inner.outer: contains Searching, which already contains it; features cannot be circular; remove the feature',
    ]);
  });
});

describe('a value that is neither a class nor an instance of one', () => {
  it.each<[string, object]>([
    ['a plain object', { read: () => '' }],
    ['an object without a prototype', Object.create(null)],
    ['a function', (): string => ''],
  ])('is rejected: %s', (_, server) => {
    expect(() => compileServer(server)).toThrow(new TypeError('a server must be a class or an instance of a class'));
  });
});
