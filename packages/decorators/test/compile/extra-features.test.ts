import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Complete, DefinitionError, Feature, McpServer, Prompt, Resource, Tool, compileServer } from '../../src/index.ts';

class Word {
  @IsString() word!: string;
}

class Inner {
  @Tool({ description: 'Inside' }) inside(): void {}
}

class Extra {
  @Feature() readonly inner: Inner = new Inner();
  @Tool({ description: 'Read' }) extra(): void {}
  @Resource({ uri: 'extra://all' }) all(): void {}
  @Resource({ uriTemplate: 'extra://{word}' }) one(_: Word): void {}
  @Prompt({ description: 'Ask' }) ask(_: Word): void {}
  @Complete({ prompt: 'ask', argument: 'word' }) words(): string[] {
    return [];
  }
}

@McpServer({ name: 'notes', version: '1.0.0', instructions: 'Read.', tools: { read: { title: 'Read' } } })
class Notes {
  @Tool({ description: 'Read a note' }) read(): void {}
  @Resource({ uri: 'notes://all' }) all(): void {}
}

function problemsWith(...features: readonly object[]): readonly string[] {
  try {
    compileServer(new Notes(), features);
  } catch (error) {
    if (DefinitionError.is(error)) return error.problems;
    throw error;
  }
  return [];
}

describe('an extra feature', () => {
  it('adds its tools, resources, prompts and completions after the members of the server', () => {
    const extra = new Extra();
    const { info, instructions, tools, resources, templates, prompts, completions } = compileServer(new Notes(), [extra]);
    expect({ info, instructions }).toEqual({ info: { name: 'notes', version: '1.0.0' }, instructions: 'Read.' });
    expect([...tools.keys()]).toEqual(['read', 'extra', 'inside']);
    expect([...resources.keys()]).toEqual(['notes://all', 'extra://all']);
    expect(tools.get('inside')).toMatchObject({ owner: ['inner'], member: 'inside' });
    const brought = [tools.get('extra'), tools.get('inside'), ...templates, prompts.get('ask'), ...completions.values()];
    expect(brought.map((primitive) => primitive?.extraFeature)).toEqual([extra, extra, extra, extra, extra]);
    expect(tools.get('read')).not.toHaveProperty('extraFeature');
  });

  it('does not change the server compiled without it', () => {
    const notes = new Notes();
    const alone = compileServer(notes);
    compileServer(notes, [new Extra()]);
    expect(compileServer(notes)).toBe(alone);
    expect([...alone.tools.keys()]).toEqual(['read']);
  });

  it('must not repeat names of the server or of another extra feature', () => {
    class Again {
      @Tool({ description: 'Read again' }) read(): void {}
      @Resource({ uri: 'notes://all' }) all(): void {}
      @Resource({ uriTemplate: 'extra://{name}', variables: Word }) named(_: Word): void {}
    }
    class Named {
      @Resource({ uriTemplate: 'extra://{word}' }) named(_: Word): void {}
    }
    expect(problemsWith(new Extra(), new Extra())).toContain(
      'Extra.extra: the tool "extra" is already defined by Extra.extra; change one of the two',
    );
    expect(problemsWith(new Extra(), new Named())).toEqual([
      'Named.named: its URI template matches the same URIs as the template of Extra.one; change one of the two',
    ]);
    expect(problemsWith(new Again())).toEqual(
      expect.arrayContaining([
        'Again.read: the tool "read" is already defined by Notes.read; change one of the two',
        'Again.all: the resource "notes://all" is already defined by Notes.all; change one of the two',
      ]),
    );
  });

  it('must be an object with annotated methods', () => {
    class Plain {}
    expect(problemsWith(new Plain())).toEqual([expect.stringMatching(/^Plain: has no tool, resource or prompt/)]);
    expect(() => compileServer(new Notes(), [{}])).toThrow(new TypeError('a feature must be an instance of a class'));
  });
});
