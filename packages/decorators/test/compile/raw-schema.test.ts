import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { McpServer, RequestContext, Tool, compileServer } from '../../src/index.ts';
import { readProblems } from './read-problems.ts';

const NAMED = { name: 'notes', version: '1.0.0' };

class NotePath {
  @IsString() path!: string;
}

describe('a tool with a JSON Schema instead of a class', () => {
  const inputSchema = { type: 'object', properties: { query: { type: 'string' } }, $comment: 'as it is', 'x-order': [1, 2] };

  @McpServer(NAMED)
  class Notes {
    @Tool({ description: 'Query the notes', inputSchema }) query(_input: Readonly<Record<string, unknown>>): void {}
  }

  it('has a frozen copy of the schema in its definition', () => {
    const tool = compileServer(Notes).tools.get('query');
    expect(tool?.definition.inputSchema).toEqual(inputSchema);
    expect(tool?.input).toEqual({ kind: 'raw', schema: inputSchema });
    expect(Object.isFrozen(tool?.definition.inputSchema.properties)).toBe(true);
    expect([inputSchema, inputSchema.properties, inputSchema['x-order']].some(Object.isFrozen)).toBe(false);
  });

  it('uses the class that a subclass or a table gives instead', () => {
    class Classy extends Notes {
      @Tool({ input: NotePath }) override query(_input: object): void {}
    }
    @McpServer({ tools: { query: { input: NotePath } } })
    class Tabled extends Notes {}
    expect([Classy, Tabled].map((target) => compileServer(target).tools.get('query')?.input.kind)).toEqual(['class', 'class']);
  });

  it('replaces the input class of the base class', () => {
    class Above extends Notes {
      @Tool({ description: 'Read a note', input: NotePath }) read(_input: object): void {}
    }
    class Below extends Above {
      @Tool({ inputSchema }) override read(_input: object): void {}
    }
    expect(compileServer(Below).tools.get('read')?.input.kind).toBe('raw');
  });

  it('is a definition error together with a class, and if the method takes only the context', () => {
    @McpServer(NAMED)
    class Wrong {
      @Tool({ description: 'Both', input: NotePath, inputSchema }) both(_input: NotePath): void {}
      @Tool({ description: 'Neither', inputSchema }) neither(_context: RequestContext): void {}
    }
    expect(readProblems(Wrong)).toEqual([
      'Wrong.both: has both input and inputSchema; give one of them',
      'Wrong.neither: the method of a tool with inputSchema takes (arguments, context), not (context)',
    ]);
  });
});
