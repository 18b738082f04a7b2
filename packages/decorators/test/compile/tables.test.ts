import { IsInt, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { completionKey } from '../../src/compile/compiled-server.ts';
import {
  Complete,
  McpServer,
  Prompt,
  Resource,
  Tool,
  compileServer,
  type Constructor,
  type McpServerOptions,
} from '../../src/index.ts';
import { readProblems } from './read-problems.ts';

class NotePath {
  @IsString() path!: string;
}
class NoteWindow extends NotePath {
  @IsInt() limit = 10;
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Tool({ description: 'Read a note', annotations: { readOnlyHint: true, openWorldHint: false }, timeoutMs: 1000 })
  readNote(_input: NotePath): void {}
  @Tool({ description: 'Delete a note' }) deleteNote(_input: NotePath): void {}
  @Prompt({ description: 'Review a note' }) review(_args: NotePath): void {}
  @Resource({ uri: 'notes://index', annotations: { priority: 1 }, cache: { ttlMs: 5 } }) index(): void {}
  @Resource({ uriTemplate: 'notes://{path}', name: 'text' }) textOf(_variables: NotePath): void {}
}

function subclass(options: McpServerOptions, above: Constructor<Notes> = Notes): Constructor<Notes> {
  @McpServer(options)
  class Sub extends above {}
  return Sub;
}

function served(target: Constructor): readonly string[] {
  const { tools, prompts, resources, templates } = compileServer(target);
  return [...tools.keys(), ...prompts.keys(), ...resources.keys(), ...templates.map(({ definition }) => definition.uriTemplate)];
}

const ALL = ['read_note', 'delete_note', 'review', 'notes://index', 'notes://{path}'];
const WITHOUT_DELETE = ALL.filter((name) => name !== 'delete_note');

describe('a table of @McpServer', () => {
  it('removes inherited members with false, and only from its own class', () => {
    expect(served(subclass({ tools: { delete_note: false } }))).toEqual(WITHOUT_DELETE);
    expect(served(subclass({ prompts: { review: false }, resources: { index: false, text: false } }))).toEqual([
      'read_note',
      'delete_note',
    ]);
    expect(served(subclass({}))).toEqual(ALL);
    expect(served(Notes)).toEqual(ALL);
  });

  it('changes description, title, annotations, _meta, input and limits of a tool', () => {
    const _meta = { 'com.example/mark': 1 };
    const changes = { description: 'Read (policy applies)', title: 'Read', annotations: { idempotentHint: true }, _meta };
    const Sub = subclass({ tools: { read_note: { ...changes, input: NoteWindow, maxConcurrent: 2 } } });
    const tool = compileServer(Sub).tools.get('read_note');
    expect(tool?.definition).toMatchObject({
      ...changes,
      annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
      inputSchema: { properties: { path: {}, limit: {} } },
    });
    expect(tool?.limits).toEqual({ timeoutMs: 1000, maxConcurrent: 2 });
    expect(compileServer(Notes).tools.get('read_note')).toMatchObject({
      definition: { description: 'Read a note' },
      limits: { timeoutMs: 1000 },
    });
  });

  it('changes description, title and arguments of a prompt', () => {
    const Sub = subclass({ prompts: { review: { description: 'Review', title: 'Note', args: NoteWindow } } });
    expect(compileServer(Sub).prompts.get('review')?.definition).toMatchObject({
      description: 'Review',
      title: 'Note',
      arguments: [{ name: 'path' }, { name: 'limit' }],
    });
  });

  it('changes description, title, type, annotations and caching of a resource, by its name', () => {
    const changes = { description: 'All', title: 'Index', mimeType: 'text/plain', annotations: { audience: ['user' as const] } };
    const Sub = subclass({ resources: { index: { ...changes, cache: { cacheScope: 'public' } }, text: { title: 'Text' } } });
    const { resources, templates } = compileServer(Sub);
    expect(resources.get('notes://index')).toMatchObject({
      definition: { ...changes, annotations: { priority: 1, audience: ['user'] } },
      cache: { ttlMs: 5, cacheScope: 'public' },
    });
    expect(templates.map(({ definition }) => definition.title)).toEqual(['Text']);
  });

  it('changes the URI template of a resource, and its completions complete the new template', () => {
    class Completed extends Notes {
      @Complete({ resource: 'notes://{path}', argument: 'path' }) paths(): readonly string[] {
        return [];
      }
    }
    const { templates, completions } = compileServer(
      subclass({ resources: { text: { uriTemplate: 'acme://{path}' } } }, Completed),
    );
    expect(templates.map(({ definition }) => definition.uriTemplate)).toEqual(['acme://{path}']);
    expect([...completions.keys()]).toEqual([completionKey('resource', 'acme://{path}', 'path')]);
    expect(served(Completed)).toEqual(ALL);
  });

  it('is applied after the decorators of the class and its subclasses', () => {
    @McpServer({ tools: { read_note: { description: 'by the table' } } })
    class Decorated extends Notes {
      @Tool({ description: 'by its own decorator' }) override readNote(_input: NotePath): void {}
    }
    class Below extends Decorated {
      @Tool({ description: 'by the decorator below', title: 'Read' }) override readNote(_input: NotePath): void {}
    }
    expect(compileServer(Decorated).tools.get('read_note')?.definition.description).toBe('by the table');
    expect(compileServer(Below).tools.get('read_note')?.definition).toMatchObject({ description: 'by the table', title: 'Read' });
  });

  it('finds a member that a subclass renamed', () => {
    class Renamed extends subclass({ tools: { read_note: { title: 'Read' }, delete_note: false } }) {
      @Tool({ name: 'read' }) override readNote(_input: NotePath): void {}
    }
    expect(compileServer(Renamed).tools.get('read')?.definition.title).toBe('Read');
  });
});

describe('the tables along a class hierarchy', () => {
  const Without = subclass({ tools: { delete_note: false } });

  it('are merged name by name: another table does not undo a false', () => {
    expect(served(subclass({ tools: { read_note: { title: 'Read' } } }, Without))).toEqual(WITHOUT_DELETE);
  });

  it('are merged option by option, subclass over base class', () => {
    const Middle = subclass({ tools: { read_note: { title: 'middle', description: 'middle' } } });
    const Leaf = subclass({ tools: { read_note: { title: 'leaf' } } }, Middle);
    expect(compileServer(Leaf).tools.get('read_note')?.definition).toMatchObject({ title: 'leaf', description: 'middle' });
    expect(compileServer(Middle).tools.get('read_note')?.definition.title).toBe('middle');
  });

  it('restore with true what a base class removed, and a subclass may remove it again', () => {
    const Again = subclass({ tools: { delete_note: true } }, Without);
    expect(served(Again)).toEqual(ALL);
    expect(served(subclass({ tools: { delete_note: false } }, Again))).toEqual(WITHOUT_DELETE);
    expect(served(subclass({ tools: { delete_note: true } }))).toEqual(ALL);
  });

  it('do not restore a member by changing it, nor does decorating it again', () => {
    expect(served(subclass({ tools: { delete_note: { title: 'Delete' } } }, Without))).toEqual(WITHOUT_DELETE);
    class Decorated extends Without {
      @Tool({ title: 'Delete' }) override deleteNote(_input: NotePath): void {}
    }
    expect(served(Decorated)).toEqual(WITHOUT_DELETE);
  });

  it('may remove the same name twice', () => {
    expect(served(subclass({ tools: { delete_note: false } }, Without))).toEqual(WITHOUT_DELETE);
  });
});

describe('a table that is a definition error', () => {
  it.each<[string, McpServerOptions, string]>([
    [
      'names an unknown tool',
      { tools: { delet_note: false } },
      'Sub: tools.delet_note: the server has no tool "delet_note", only read_note, delete_note; did you mean "delete_note"?',
    ],
    [
      'names an unknown prompt',
      { prompts: { summary: {} } },
      'Sub: prompts.summary: the server has no prompt "summary", only review',
    ],
    [
      'names a resource by its URI',
      { resources: { 'notes://index': false } },
      'Sub: resources.notes://index: the server has no resource "notes://index", only index, text',
    ],
    [
      'names a property of every object',
      { tools: { constructor: false } },
      'Sub: tools.constructor: the server has no tool "constructor", only read_note, delete_note',
    ],
    [
      'gives an invalid limit',
      { tools: { read_note: { timeoutMs: 0 } } },
      'Sub: tools.read_note: timeoutMs must be an integer from 1 to 2147483647',
    ],
    [
      'changes an option that a table cannot change',
      { tools: { read_note: JSON.parse('{"name":"read"}') } },
      'Sub: tools.read_note: "name" cannot be changed; only description, title, annotations, input, scopes, sets, app, timeoutMs, maxConcurrent, rateLimit, _meta can be changed',
    ],
    [
      'has a value that is not an object of changes',
      { tools: { read_note: JSON.parse('null') } },
      'Sub: tools.read_note: must be false, true or an object of changes',
    ],
  ])('%s', (_, options, problem) => {
    expect(readProblems(subclass(options))).toEqual([problem]);
  });

  it('gives a resource a template whose variables its class does not have', () => {
    expect(readProblems(subclass({ resources: { text: { uriTemplate: 'notes://{name}' } } }))).toEqual([
      'Notes.textOf: "notes://{name}" has the variable {name}, but its class has no such property; add the property',
      'Notes.textOf: its class has the property "path", but "notes://{name}" has no such variable; remove the property, or add the variable',
    ]);
    expect(readProblems(subclass({ resources: { index: { uriTemplate: 'notes://{path}/all' } } }))).toEqual([
      'Notes.index: "notes://{path}/all" has the variable {path}, but its class has no such property; add the property',
    ]);
  });

  it('names a kind without members', () => {
    @McpServer({ name: 'clock', version: '1.0.0', prompts: { review: false } })
    class Clock {
      @Tool({ description: 'Show the time' }) now(): void {}
    }
    expect(readProblems(Clock)).toEqual(['Clock: prompts.review: the server has no prompt']);
  });

  it('removes all members', () => {
    @McpServer({ name: 'clock', version: '1.0.0', tools: { now: false } })
    class Clock {
      @Tool({ description: 'Show the time' }) now(): void {}
    }
    expect(readProblems(Clock)).toEqual(['Clock: all its tools, resources and prompts are removed or disabled']);
  });
});

describe('a mistake in a removed member', () => {
  it('is not reported', () => {
    @McpServer({ name: 'clock', version: '1.0.0', tools: { later: false } })
    class Clock {
      @Tool({ description: 'Show the time' }) now(): void {}
      @Tool({ timeoutMs: -1 }) later(_input: object): void {}
    }
    expect(readProblems(Clock)).toEqual([]);
  });
});
