import { IsInt, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import {
  McpServer,
  Prompt,
  RequestContext,
  Resource,
  Tool,
  compileServer,
  type CompiledTool,
  type Constructor,
} from '../../src/index.ts';

class NotePath {
  @IsString() path!: string;
}
class NoteWindow extends NotePath {
  @IsInt() limit = 10;
}
class NoteStats {
  @IsInt() words!: number;
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Tool({ description: 'Read a note', annotations: { readOnlyHint: true, openWorldHint: false } })
  readNote(_input: NotePath): string {
    return 'base';
  }

  @Tool({ name: 'stats', title: 'Statistics', description: 'Count words', input: NotePath, output: NoteStats })
  noteStats(_input: NotePath): NoteStats {
    return { words: 0 };
  }

  @Tool({ description: 'List the notes' }) listNotes(_context: RequestContext): string {
    return '';
  }
}

function toolsOf(target: Constructor): readonly string[] {
  return [...compileServer(target).tools.keys()];
}

function toolOf(target: Constructor, name: string): CompiledTool {
  const tool = compileServer(target).tools.get(name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool;
}

function inputOf(target: Constructor, name: string): readonly string[] {
  return Object.keys(toolOf(target, name).definition.inputSchema.properties ?? {});
}

describe('the members of a class', () => {
  class Left extends Notes {
    @Tool({ description: 'Left' }) zebra(): string {
      return '';
    }
    @Tool({ description: 'Left' }) apple(): string {
      return '';
    }
  }
  class Right extends Notes {
    @Tool({ description: 'Right' }) right(): string {
      return '';
    }
  }

  it('are listed base class first, then in order of declaration', () => {
    expect(toolsOf(Left)).toEqual(['read_note', 'stats', 'list_notes', 'zebra', 'apple']);
  });

  it('belong to their class only, not to its base class or other subclasses', () => {
    expect(toolsOf(Right)).toEqual(['read_note', 'stats', 'list_notes', 'right']);
    expect(toolsOf(Notes)).toEqual(['read_note', 'stats', 'list_notes']);
  });

  it('are separate per kind: a method may be a tool, a resource and a prompt', () => {
    class Many extends Notes {
      @Tool({ description: 'The index' })
      @Resource({ uri: 'notes://index' })
      @Prompt({ title: 'Index' })
      index(): string {
        return '';
      }
    }
    const { tools, resources, prompts } = compileServer(Many);
    expect([tools.get('index')?.member, resources.get('notes://index')?.member, prompts.get('index')?.member]).toEqual([
      'index',
      'index',
      'index',
    ]);
  });
});

describe('an override without a decorator', () => {
  class Audited extends Notes {
    override readNote(_input: NotePath): string {
      return 'audited';
    }
  }

  it('stays the same tool, at the same position in the list', () => {
    expect(toolsOf(Audited)).toEqual(toolsOf(Notes));
    expect(toolOf(Audited, 'read_note')).toMatchObject({
      member: 'readNote',
      place: 'Notes.readNote',
      definition: toolOf(Notes, 'read_note').definition,
    });
  });
});

describe('an override with a decorator', () => {
  class Careful extends Notes {
    @Tool({ description: 'Read a note (policy applies)', annotations: { idempotentHint: true, openWorldHint: true } })
    override readNote(_input: NotePath): string {
      return '';
    }

    @Tool({}) override noteStats(_input: NotePath): NoteStats {
      return { words: 1 };
    }
  }
  class Renamed extends Careful {
    @Tool({ name: 'count', input: NoteWindow }) override noteStats(_input: NoteWindow): NoteStats {
      return { words: 2 };
    }
  }

  it('replaces the given options, and merges annotations one level deep', () => {
    expect(toolOf(Careful, 'read_note').definition).toMatchObject({
      description: 'Read a note (policy applies)',
      annotations: { readOnlyHint: true, openWorldHint: true, idempotentHint: true },
    });
  });

  it('inherits name, title, description, input and output unless they are given', () => {
    expect(toolOf(Careful, 'stats').definition).toEqual(toolOf(Notes, 'stats').definition);
    expect(toolOf(Renamed, 'count').definition).toMatchObject({ title: 'Statistics', description: 'Count words' });
    expect(toolOf(Renamed, 'count').output).toBeDefined();
    expect(inputOf(Renamed, 'count')).toEqual(['path', 'limit']);
  });

  it('is reported under the class that decorated it last, and keeps its position in the list', () => {
    expect(toolOf(Careful, 'stats').place).toBe('Careful.noteStats');
    expect(toolsOf(Renamed)).toEqual(['read_note', 'count', 'list_notes']);
  });

  it('does not change the base class', () => {
    expect(toolOf(Notes, 'read_note').definition).toMatchObject({
      description: 'Read a note',
      annotations: { readOnlyHint: true, openWorldHint: false },
    });
    expect(toolOf(Notes, 'read_note').definition.annotations).not.toHaveProperty('idempotentHint');
  });

  it('takes the class of its own first parameter if no option gives the input', () => {
    class Windowed extends Notes {
      @Tool({}) override readNote(_input: NoteWindow): string {
        return '';
      }
    }
    expect(inputOf(Windowed, 'read_note')).toEqual(['path', 'limit']);
  });

  it('inherits the input class if its own first parameter is erased or missing', () => {
    class Erased extends Notes {
      @Tool({}) override readNote(_input: object): string {
        return '';
      }
    }
    class Missing extends Notes {
      @Tool({}) override readNote(): string {
        return '';
      }
    }
    expect([Erased, Missing].map((target) => inputOf(target, 'read_note'))).toEqual([['path'], ['path']]);
  });
});

describe('the class of an input', () => {
  @McpServer({ name: 'notes', version: '1.0.0' })
  class Wide {
    @Tool({ description: 'Read a note', input: NoteWindow }) read(_input: NotePath): void {}
    @Resource({ uriTemplate: 'notes://{path}/{limit}', variables: NoteWindow }) text(_variables: NotePath): void {}
    @Prompt({ args: NoteWindow }) review(_args: NotePath): void {}
  }

  it('comes from the option rather than from the parameter', () => {
    const { tools, templates, prompts } = compileServer(Wide);
    const inputs = [...tools.values(), ...templates, ...prompts.values()].map(({ input }) => input);
    expect(inputs.map((input) => input.kind === 'class' && Object.keys(input.schema.input.properties))).toEqual([
      ['path', 'limit'],
      ['path', 'limit'],
      ['path', 'limit'],
    ]);
  });
});
