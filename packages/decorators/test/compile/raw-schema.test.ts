import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { compileServer, McpServer, RequestContext, Tool } from '../../src/index.ts';
import { problemsOf } from './problems-of.ts';

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

  it('has it as it is in its definition, in a frozen copy', () => {
    const tool = compileServer(Notes).tools.get('query');
    expect(tool?.definition.inputSchema).toEqual(inputSchema);
    expect(tool?.input).toEqual({ kind: 'raw', schema: inputSchema });
    expect(Object.isFrozen(tool?.definition.inputSchema.properties)).toBe(true);
    expect([inputSchema, inputSchema.properties, inputSchema['x-order']].some(Object.isFrozen)).toBe(false);
  });

  it('gets the class that a subclass or a table gives in its place', () => {
    class Classy extends Notes {
      @Tool({ input: NotePath }) override query(_input: object): void {}
    }
    @McpServer({ tools: { query: { input: NotePath } } })
    class Tabled extends Notes {}
    expect([Classy, Tabled].map((target) => compileServer(target).tools.get('query')?.input.kind)).toEqual(['class', 'class']);
  });

  it('takes the place of the class above it', () => {
    class Above extends Notes {
      @Tool({ description: 'Read a note', input: NotePath }) read(_input: object): void {}
    }
    class Below extends Above {
      @Tool({ inputSchema }) override read(_input: object): void {}
    }
    expect(compileServer(Below).tools.get('read')?.input.kind).toBe('raw');
  });

  it('is a definition error beside a class, and where the method takes only the context', () => {
    @McpServer(NAMED)
    class Wrong {
      @Tool({ description: 'Both', input: NotePath, inputSchema }) both(_input: NotePath): void {}
      @Tool({ description: 'Neither', inputSchema }) neither(_context: RequestContext): void {}
    }
    expect(problemsOf(Wrong)).toEqual([
      'Wrong.both: has both input and inputSchema; give one of them',
      'Wrong.neither: with inputSchema its method takes (arguments, context), not (context)',
    ]);
  });
});
