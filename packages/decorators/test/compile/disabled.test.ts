import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Complete, compileServer, Disabled, McpServer, Prompt, Resource, Tool } from '../../src/index.ts';
import { problemsOf } from './problems-of.ts';

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
  it('does not belong to the server, as a tool, a prompt or a resource, and to the base and siblings it does', () => {
    class Sibling extends Notes {}
    expect(namesOf(Careful)).toEqual(['read', 'review']);
    expect([Notes, Sibling].map(namesOf)).toEqual([ALL, ALL]);
  });

  it('is disabled beside its own decorator, in whatever order they stand', () => {
    class Both extends Notes {
      @Tool({ description: 'Above' }) @Disabled() above(): void {}
      @Disabled() @Tool({ description: 'Below' }) below(): void {}
    }
    expect(namesOf(Both)).toEqual(ALL);
  });

  it('stays disabled where a class further down overrides it, and comes back where one decorates it again', () => {
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

  it('is brought back by a table of a class below, not by one of its own or of a class above', () => {
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

  it('may still be named by a table of a class above', () => {
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

describe('@Disabled on what nobody annotated', () => {
  class Helpers extends Notes {
    format(): void {}
  }

  it('is a definition error, also where a class below annotates it', () => {
    class Stray extends Helpers {
      @Disabled() override format(): void {}
    }
    class Below extends Stray {
      @Tool({ description: 'Format a note' }) override format(): void {}
    }
    const problem = 'Stray.format: @Disabled stands on a method that nobody annotated';
    expect([Stray, Below].map(problemsOf)).toEqual([[problem], [problem]]);
  });
});
