import { IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Field, McpServer, Prompt, RequestContext, Resource, Tool, compileServer } from '../../src/index.ts';

const ICONS = [{ src: 'https://example.org/notes.svg', mimeType: 'image/svg+xml', sizes: ['any'] }];

class NotePath {
  @Field('Path of the note') @IsString() path!: string;
}
class ReviewArguments extends NotePath {
  @IsOptional() @IsBoolean() strict?: boolean;
}
class NoteStats {
  @IsInt() words!: number;
}

@McpServer({ name: 'notes', version: '1.0.0', title: 'Notes', instructions: 'Read and review notes.', icons: ICONS })
class Notes {
  @Tool({ title: 'Statistics', description: 'Count words', output: NoteStats, annotations: { readOnlyHint: true }, icons: ICONS })
  noteStats(_input: NotePath, _context: RequestContext): NoteStats {
    return { words: 0 };
  }

  @Tool({ description: 'List the notes' }) listNotes(): string {
    return '';
  }

  @Resource({ uri: 'notes://index', mimeType: 'application/json', description: 'All notes' }) index(
    _context: RequestContext,
  ): object {
    return {};
  }

  @Resource({ uriTemplate: 'notes://text/{+path}', name: 'text', title: 'Text' }) textOf(_variables: NotePath): string {
    return '';
  }

  @Prompt({ title: 'Review', description: 'Review a note' }) reviewNote(_args: ReviewArguments): string {
    return '';
  }

  @Prompt({ name: 'greet' }) greeting(): string {
    return '';
  }
}

describe('a compiled server', () => {
  const { info, instructions, tools, resources, templates, prompts } = compileServer(Notes);

  it('has the name, version and instructions of its class', () => {
    expect(info).toEqual({ name: 'notes', version: '1.0.0', title: 'Notes', icons: ICONS });
    expect(instructions).toBe('Read and review notes.');
  });

  it('lists its tools by name', () => {
    expect([...tools.values()].map(({ definition }) => definition)).toEqual([
      {
        name: 'note_stats',
        title: 'Statistics',
        description: 'Count words',
        icons: ICONS,
        inputSchema: {
          type: 'object',
          properties: { path: { type: 'string', description: 'Path of the note' } },
          required: ['path'],
          additionalProperties: false,
        },
        outputSchema: { type: 'object', properties: { words: { type: 'integer' } }, required: ['words'] },
        annotations: { readOnlyHint: true },
      },
      {
        name: 'list_notes',
        description: 'List the notes',
        inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      },
    ]);
    expect([...tools.keys()]).toEqual(['note_stats', 'list_notes']);
  });

  it('lists its resources by URI and its templates in order', () => {
    expect([...resources]).toMatchObject([
      [
        'notes://index',
        { definition: { name: 'index', uri: 'notes://index', mimeType: 'application/json', description: 'All notes' } },
      ],
    ]);
    expect(templates.map(({ definition }) => definition)).toEqual([
      { name: 'text', title: 'Text', uriTemplate: 'notes://text/{+path}' },
    ]);
  });

  it('lists its prompts with their arguments', () => {
    expect([...prompts.values()].map(({ definition }) => definition)).toEqual([
      {
        name: 'review_note',
        title: 'Review',
        description: 'Review a note',
        arguments: [
          { name: 'path', description: 'Path of the note', required: true },
          { name: 'strict', required: false },
        ],
      },
      { name: 'greet' },
    ]);
  });

  it('is compiled once, from definitions that are frozen', () => {
    expect(compileServer(Notes)).toBe(compileServer(Notes));
    const definitions = [...tools.values(), ...resources.values(), ...templates, ...prompts.values()].map(
      ({ definition }) => definition,
    );
    expect(definitions.every(Object.isFrozen)).toBe(true);
    expect(Object.isFrozen(tools.get('note_stats')?.definition.inputSchema.properties)).toBe(true);
  });
});

describe('an options object of a decorator', () => {
  it('is copied and stays mutable for its author', () => {
    const annotations = { readOnlyHint: true };
    const shown = { audience: ['user' as const] };
    const icons = [{ src: 'data:,' }];
    const rateLimit = { calls: 1, perSeconds: 1 };
    const cache = { ttlMs: 1 };
    @McpServer({ name: 'notes', version: '1.0.0', icons, cache })
    class Given {
      @Tool({ description: 'Read a note', annotations, icons, rateLimit }) read(): void {}
      @Resource({ uri: 'notes://index', annotations: shown, cache }) index(): void {}
    }
    const { info } = compileServer(Given);
    expect([annotations, shown, shown.audience, icons, ...icons, rateLimit, cache].some(Object.isFrozen)).toBe(false);
    expect(info.icons).toEqual(icons);
    expect(info.icons).not.toBe(icons);
  });
});

describe('the options of a server', () => {
  @McpServer({ name: 'acme-notes', description: 'The notes of ACME' })
  class AcmeNotes extends Notes {}
  class QuietNotes extends AcmeNotes {}

  it('are merged, subclass over base class', () => {
    expect(compileServer(AcmeNotes).info).toEqual({
      name: 'acme-notes',
      version: '1.0.0',
      title: 'Notes',
      description: 'The notes of ACME',
      icons: ICONS,
    });
    expect(compileServer(AcmeNotes).instructions).toBe('Read and review notes.');
    expect(compileServer(Notes).info.name).toBe('notes');
  });

  it('knows the names of its base classes that differ from its own', () => {
    class Unchanged extends AcmeNotes {}
    @McpServer({ name: 'notes' })
    class Restored extends AcmeNotes {}
    expect([Notes, AcmeNotes, Unchanged, Restored].map((server) => compileServer(server).formerNames)).toEqual([
      [],
      ['notes'],
      ['notes'],
      ['acme-notes'],
    ]);
  });

  it('are inherited by a class without a decorator', () => {
    expect(compileServer(QuietNotes).info).toEqual(compileServer(AcmeNotes).info);
  });
});
