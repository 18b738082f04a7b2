import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Complete, Disabled, McpServer, Prompt, Resource, Tool, compileServer } from '../../src/index.ts';
import { readProblems } from './read-problems.ts';

class NotePath {
  @IsString() path!: string;
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Tool({ description: 'Read a note' }) read(): void {}
  @Tool({ description: 'Delete a note' })
  @Prompt({ description: 'Delete a note' })
  @Resource({ uri: 'notes://deleted' })
  remove(): void {}
  @Prompt({ description: 'Review a note' }) review(_args: NotePath): void {}
  @Complete({ prompt: 'review', argument: 'path' }) paths(): string[] {
    return [];
  }
}
class Careful extends Notes {
  @Disabled() override remove(): void {}
}

function namesOf(server: object): readonly string[] {
  const { tools, prompts, resources } = compileServer(server);
  return [...tools.keys(), ...prompts.keys(), ...resources.keys()];
}

const ALL = ['read', 'remove', 'remove', 'review', 'notes://deleted'];

describe('a disabled member', () => {
  it('is removed from its server, but not from base classes and their other subclasses', () => {
    class Sibling extends Notes {}
    expect(namesOf(Careful)).toEqual(['read', 'review']);
    expect([Notes, Sibling].map(namesOf)).toEqual([ALL, ALL]);
  });

  it('may have its own decorator next to @Disabled, in any order', () => {
    class Both extends Notes {
      @Tool({ description: 'Above' }) @Disabled() above(): void {}
      @Disabled() @Tool({ description: 'Below' }) below(): void {}
    }
    expect(namesOf(Both)).toEqual(ALL);
  });

  it('stays disabled in an override without a decorator, and is restored by one with a decorator', () => {
    class Silent extends Careful {
      override remove(): void {}
    }
    class Again extends Silent {
      @Tool({ title: 'Delete' }) override remove(): void {}
    }
    expect(namesOf(Silent)).toEqual(['read', 'review']);
    expect(namesOf(Again)).toEqual(['read', 'remove', 'review']);
    expect(compileServer(Again).tools.get('remove')?.definition).toMatchObject({ title: 'Delete', description: 'Delete a note' });
  });

  it('is restored by a table of a subclass, but not by tables of its own class or base classes', () => {
    @McpServer({ tools: { remove: true } })
    class Below extends Careful {}
    @McpServer({ tools: { remove: true } })
    class Same extends Notes {
      @Disabled() override remove(): void {}
    }
    class Lower extends Below {
      @Disabled() override remove(): void {}
    }
    expect([Below, Same, Lower].map((target) => namesOf(target).includes('remove'))).toEqual([true, false, false]);
  });

  it('may be named by a table of a base class', () => {
    @McpServer({ tools: { remove: { title: 'Delete' } } })
    class Titled extends Notes {}
    class Disabling extends Titled {
      @Disabled() override remove(): void {}
    }
    expect(namesOf(Disabling)).toEqual(['read', 'review']);
  });

  it('may be a completion', () => {
    class Quiet extends Notes {
      @Disabled() override paths(): string[] {
        return [];
      }
    }
    expect([Quiet, Notes].map((target) => compileServer(target).completions.size)).toEqual([0, 1]);
  });
});

describe('@Disabled on a method without an annotation', () => {
  class Helpers extends Notes {
    format(): void {}
  }

  it('is a definition error, even if a subclass annotates the method', () => {
    class Stray extends Helpers {
      @Disabled() override format(): void {}
    }
    class Below extends Stray {
      @Tool({ description: 'Format a note' }) override format(): void {}
    }
    const problem = 'Stray.format: @Disabled decorates a method without an annotation; remove @Disabled, or decorate an override';
    expect([Stray, Below].map(readProblems)).toEqual([[problem], [problem]]);
  });
});
