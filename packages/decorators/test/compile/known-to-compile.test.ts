import { IsArray, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Complete, Field, McpServer, Prompt, Resource, Tool, compileServer } from '../../src/index.ts';
import { readProblems } from './read-problems.ts';

class NotePath {
  @Field('Path of the note') @IsString() path!: string;
}
class Text {
  @IsString() text!: string;
}
class Folders {
  @IsArray() folders!: string[];
}

function notes(): new () => object {
  @McpServer({ name: 'notes', version: '1.0.0' })
  class Notes {
    @Tool({ description: 'Read a note', annotations: { readOnlyHint: true }, output: Text }) read(_input: NotePath): Text {
      return new Text();
    }
    @Prompt({ description: 'Review a note' }) review(_input: NotePath): void {}
    @Resource({ uriTemplate: 'notes://{path}' }) note(_variables: NotePath): void {}
    @Complete({ prompt: 'review', argument: 'path' }) paths(): string[] {
      return [];
    }
  }
  return Notes;
}

describe('a server that is known to compile', () => {
  it('compiles to the same result', () => {
    const known = compileServer(notes(), [], { isKnownToCompile: true });
    const looked = compileServer(notes());
    const shown = ({ tools, prompts, templates, completions }: typeof known): string =>
      JSON.stringify([
        ...[...tools.values(), ...prompts.values(), ...templates].map(({ definition }) => definition),
        [...completions],
      ]);
    expect(shown(known)).toBe(shown(looked));
    expect(JSON.parse(shown(known))).toMatchObject([
      { name: 'read', inputSchema: { required: ['path'] }, outputSchema: { required: ['text'] }, annotations: {} },
      { name: 'review', arguments: [{ name: 'path', description: 'Path of the note', required: true }] },
      { uriTemplate: 'notes://{path}' },
      [[expect.stringContaining('review'), { member: 'paths' }]],
    ]);
  });

  it('compiles its input and output classes only on first use', () => {
    let made = 0;
    class Counted extends NotePath {
      readonly count: number = (made += 1);
    }
    @McpServer({ name: 'notes', version: '1.0.0' })
    class Notes {
      @Tool({ description: 'Read a note' }) read(_input: Counted): void {}
    }
    const read = compileServer(Notes, [], { isKnownToCompile: true }).tools.get('read');
    expect(made).toBe(0);
    expect(read?.definition.inputSchema).toBe(read?.definition.inputSchema);
    expect(made).toBe(1);
  });

  it('is checked for all other mistakes', () => {
    @McpServer({ name: 'notes', version: '1.0.0', tools: { raed: false } })
    class Broken {
      @Tool({}) read(_input: Folders): void {}
      @Tool({ name: 'read', description: 'Again' }) again(_input: Folders): void {}
    }
    const all = readProblems(Broken).filter((problem) => !problem.includes('Folders'));
    expect(all).toHaveLength(3);
    expect(() => compileServer(Broken, [], { isKnownToCompile: true })).toThrow(all.join('\n'));
  });
});

describe('definitions', () => {
  it('are immutable, including parts that are computed later', () => {
    for (const primitives of [compileServer(notes()).tools, compileServer(notes()).prompts])
      for (const { definition } of primitives.values()) {
        expect(Object.isFrozen(definition)).toBe(true);
        for (const part of Object.values(definition)) expect(Object.isFrozen(part)).toBe(true);
      }
  });
});
