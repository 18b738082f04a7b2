import { describe, expect, it } from 'vitest';

import { compileServer, Feature, McpServer, Tool } from '../../src/index.ts';
import { problemsOf } from './problems-of.ts';

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
  it('has the members of the objects that it holds, each object its own', () => {
    expect([new Searching(new DeepSearch()), new Searching(), Searching].map(toolsOf)).toEqual([
      ['read', 'find', 'find_deeply'],
      ['read', 'find'],
      ['read', 'find'],
    ]);
  });

  it('has those of an object that a subclass put in the place of the inherited one, without a decorator', () => {
    class Deep extends Searching {
      override readonly search: DeepSearch = new DeepSearch();
    }
    expect(toolsOf(new Deep())).toEqual(['read', 'find', 'find_deeply']);
  });

  it('has a feature whose class is not known before', () => {
    class Erased extends Notes {
      @Feature() readonly search: object = new Search();
    }
    expect(toolsOf(new Erased())).toEqual(['read', 'find']);
    expect(problemsOf(Erased)).toEqual([expect.stringContaining('Erased.search: the class of the feature is not known')]);
  });

  it('is compiled once for each object if it has features, else once for its class', () => {
    const searching = new Searching();
    expect(compileServer(searching)).toBe(compileServer(searching));
    expect(compileServer(searching)).not.toBe(compileServer(new Searching()));
    expect(compileServer(new Notes())).toBe(compileServer(Notes));
  });
});

describe('a property of a server object that holds no feature', () => {
  it.each<[string, unknown, string]>([
    ['nothing', null, 'holds nothing; assign the feature in the constructor'],
    ['a text', 'search', 'holds a string; a feature is an object'],
    ['a class', Search, 'holds a function; a feature is an object'],
    ['an object of no class', {}, 'holds an object of no class; a feature is an object with annotated methods'],
    [
      'an object without prototype',
      Object.create(null),
      'holds an object of no class; a feature is an object with annotated methods',
    ],
    ['an object without annotations', new Wordless(), 'holds Wordless, which has no annotated method'],
  ])('is a definition error: %s', (_, held, problem) => {
    expect(problemsOf(new Searching(held))).toEqual([`Searching.search: ${problem}`]);
  });

  it('is a definition error: one that is never assigned', () => {
    class Late extends Notes {
      @Feature() readonly search!: Search;
    }
    expect(problemsOf(new Late())).toEqual(['Late.search: holds nothing; assign the feature in the constructor']);
  });

  it('is a definition error: the server itself, or what holds it', () => {
    class Inner extends Search {
      @Feature({ type: () => DeepSearch }) outer!: object;
    }
    const inner = new Inner();
    const server = new Searching(inner);
    inner.outer = server;
    expect(problemsOf(server)).toEqual(['Inner.outer: holds Searching again, which holds it: features cannot go in a circle']);
  });
});

describe('what is neither a class nor an object of one', () => {
  it.each<[string, object]>([
    ['a plain object', { read: () => '' }],
    ['an object without prototype', Object.create(null)],
    ['a function', (): string => ''],
  ])('is refused: %s', (_, server) => {
    expect(() => compileServer(server)).toThrow(new TypeError('a server is an instance of a class'));
  });
});
