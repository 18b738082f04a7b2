import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import {
  Complete,
  Disabled,
  Feature,
  McpServer,
  Prompt,
  Resource,
  Tool,
  compileServer,
  type Constructor,
} from '../../src/index.ts';
import { readProblems } from './read-problems.ts';

const NAMED = { name: 'notes', version: '1.0.0' };

class NotePath {
  @IsString() path!: string;
}
class Tags {
  @Tool({ description: 'List the tags' }) listTags(): void {}
}
class Search {
  @Tool({ description: 'Find notes' }) find(): void {}
  @Tool({ description: 'Find and replace' }) replace(): void {}
  @Resource({ uriTemplate: 'found://{path}' }) found(_variables: NotePath): void {}
  @Prompt({ description: 'Ask for a search' }) ask(_args: NotePath): void {}
  @Complete({ prompt: 'ask', argument: 'path' }) paths(): string[] {
    return [];
  }
  @Feature() readonly tags: Tags = new Tags();
}
class History {
  @Tool({ description: 'List the changes' }) changes(): void {}
}

@McpServer(NAMED)
class Notes {
  @Feature() readonly search: Search = new Search();
  @Tool({ description: 'Read a note' }) read(): void {}
  @Feature() readonly history: History = new History();
}

function toolsOf(server: object): readonly string[] {
  return [...compileServer(server).tools.keys()];
}

function ownersOf(server: object): readonly string[] {
  return [...compileServer(server).tools.values()].map(({ owner, member }) => [...owner, member].join('.'));
}

describe('the features of a server', () => {
  it("are listed after the server's own members, in property order, each followed by its nested features", () => {
    expect(toolsOf(Notes)).toEqual(['read', 'find', 'replace', 'list_tags', 'changes']);
    expect(ownersOf(Notes)).toEqual(['read', 'search.find', 'search.replace', 'search.tags.listTags', 'history.changes']);
  });

  it('add tools, resources, prompts and completions, each with the property path of its object', () => {
    const { templates, prompts, completions } = compileServer(Notes);
    expect(templates).toMatchObject([{ owner: ['search'], member: 'found', place: 'Search.found' }]);
    expect(prompts.get('ask')).toMatchObject({ owner: ['search'], member: 'ask', place: 'Search.ask' });
    expect([...completions.values()]).toEqual([{ owner: ['search'], member: 'paths', place: 'Search.paths' }]);
  });

  it('are inherited, and do not apply to the base class or its other subclasses', () => {
    class Dates {
      @Tool({ description: 'List the dates' }) listDates(): void {}
    }
    class Left extends Notes {
      @Feature() readonly dates: Dates = new Dates();
    }
    class Right extends Notes {}
    expect(toolsOf(Left)).toEqual([...toolsOf(Notes), 'list_dates']);
    expect([Right, Notes].map(toolsOf)).toEqual([toolsOf(Notes), toolsOf(Notes)]);
    expect(toolsOf(Notes)).not.toContain('list_dates');
  });

  it('keep their position if a subclass decorates the property again with another class', () => {
    class DeepSearch extends Search {
      @Tool({ description: 'Find deeply' }) findDeeply(): void {}
    }
    class Deep extends Notes {
      @Feature() override readonly search: DeepSearch = new DeepSearch();
    }
    expect(toolsOf(Deep)).toEqual(['read', 'find', 'replace', 'find_deeply', 'list_tags', 'changes']);
    expect(toolsOf(Notes)).not.toContain('find_deeply');
  });

  it('may be declared by an option if the property type is not a class', () => {
    @McpServer(NAMED)
    class Named {
      @Feature({ type: () => Search }) readonly search: { find(): void } = new Search();
    }
    class Below extends Named {
      @Feature() override readonly search: { find(): void } = new Search();
    }
    expect([Named, Below].map(toolsOf)).toEqual([
      ['find', 'replace', 'list_tags'],
      ['find', 'replace', 'list_tags'],
    ]);
  });

  it('need no declared type if an object is compiled', () => {
    expect(toolsOf(new InferredClass())).toEqual(['replace', 'list_tags']);
    expect([...compileServer(new InferredClass()).completions.values()].map(({ place }) => place)).toEqual([
      'InferredClass.paths',
      'InferredClass.paths',
    ]);
    expect(toolsOf(new InferredBelow())).toEqual(['replace', 'list_tags']);
  });

  it('are changed and removed by the tables of the server', () => {
    @McpServer({ tools: { replace: false, find: { title: 'Find' }, list_tags: false } })
    class Narrow extends Notes {}
    expect(toolsOf(Narrow)).toEqual(['read', 'find', 'changes']);
    expect(compileServer(Narrow).tools.get('find')?.definition.title).toBe('Find');
    expect(compileServer(Notes).tools.get('find')?.definition).not.toHaveProperty('title');
  });

  it('may have tables and disabled members, which the server may undo', () => {
    @McpServer({ tools: { replace: false } })
    class Careful extends Search {
      @Disabled() override find(): void {}
    }
    @McpServer(NAMED)
    class Composed {
      @Feature() readonly search: Careful = new Careful();
    }
    @McpServer({ tools: { replace: true, find: true } })
    class Daring extends Composed {}
    expect([Composed, Daring].map(toolsOf)).toEqual([['list_tags'], ['find', 'replace', 'list_tags']]);
  });

  it('have completions that the server may replace', () => {
    class Own extends Notes {
      @Complete({ prompt: 'ask', argument: 'path' }) better(): string[] {
        return [];
      }
    }
    expect([...compileServer(Own).completions.values()]).toEqual([{ owner: [], member: 'better', place: 'Own.better' }]);
  });
});

class Completing {
  @Complete({ prompt: 'question', argument: 'path' }) paths(): string[] {
    return [];
  }
}
class CompletingToo {
  @Complete({ prompt: 'question', argument: 'path' }) paths(): string[] {
    return [];
  }
}
class Wordless {
  find(): void {}
}
class Circle {
  @Tool({ description: 'Go round' }) round(): void {}
  @Feature({ type: () => Circle }) readonly circle!: object;
}

@McpServer(NAMED)
class ErasedClass {
  @Feature() readonly search: Search | History = new Search();
}
@McpServer({ ...NAMED, tools: { find: false }, prompts: { ask: { title: 'Ask' } } })
class InferredClass {
  @Feature() readonly search = new Search();
  @Complete({ resource: 'found://{path}', argument: 'path' })
  @Complete({ prompt: 'ask', argument: 'path' })
  paths(): string[] {
    return [];
  }
}
@McpServer(NAMED)
class InferredBelow {
  @Feature() readonly below: InferredClass = new InferredClass();
}
@McpServer(NAMED)
class NoAnnotations {
  @Feature() readonly search: Wordless = new Wordless();
}
@McpServer(NAMED)
class NoClass {
  @Feature({ type: () => 'Search' as never }) readonly search!: Search;
}
@McpServer(NAMED)
class Circular {
  @Feature() readonly circle: Circle = new Circle();
}
@McpServer(NAMED)
class Twice {
  @Feature() readonly left: History = new History();
  @Feature() readonly right: History = new History();
}
@McpServer(NAMED)
class CompletedTwice {
  @Prompt({ description: 'Ask' }) question(_args: NotePath): void {}
  @Feature() readonly left: Completing = new Completing();
  @Feature() readonly right: CompletingToo = new CompletingToo();
}

describe('a feature that is a definition error', () => {
  const ERASED =
    'the class of the feature is not known at run time; declare it as the type of the property or give it as ' +
    '@Feature({ type: () => Search }), import it as a value, not with "import type", and compile with "emitDecoratorMetadata": true';

  it.each<[string, Constructor, readonly string[]]>([
    ['has a declared type that is not a class at run time', ErasedClass, [`ErasedClass.search: ${ERASED}`]],
    ['has no declared type, without errors about its members', InferredClass, [`InferredClass.search: ${ERASED}`]],
    ['contains a feature without declared type', InferredBelow, [`InferredClass.search: ${ERASED}`]],
    ['has an option type that is not a class', NoClass, [`NoClass.search: ${ERASED}`]],
    [
      'has no annotated method',
      NoAnnotations,
      ['NoAnnotations.search: contains Wordless, which has no annotated method; remove @Feature(), or decorate a method'],
    ],
    [
      'contains itself',
      Circular,
      ['Circle.circle: contains Circle, which already contains it; features cannot be circular; remove the feature'],
    ],
    [
      'repeats a name of another feature',
      Twice,
      [
        'History.changes of the feature right: the tool "changes" is already defined by History.changes of the feature left; change one of the two',
      ],
    ],
    [
      'completes the same argument as another feature',
      CompletedTwice,
      ['CompletingToo.paths: completes the same argument as Completing.paths; remove one of the two'],
    ],
  ])('%s', (_, target, problems) => {
    expect(readProblems(target)).toEqual(problems);
  });
});
