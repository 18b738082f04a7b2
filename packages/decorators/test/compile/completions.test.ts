import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { completionKey } from '../../src/compile/compiled-server.ts';
import {
  Complete,
  DefinitionError,
  Disabled,
  McpServer,
  Prompt,
  Resource,
  Tool,
  compileServer,
  type Constructor,
} from '../../src/index.ts';

class NotePath {
  @IsString() path!: string;
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Resource({ uriTemplate: 'notes://{path}' }) text({ path }: NotePath): string {
    return path;
  }

  @Prompt({}) review({ path }: NotePath): string {
    return path;
  }

  @Complete({ resource: 'notes://{path}', argument: 'path' })
  @Complete({ prompt: 'review', argument: 'path' })
  paths(): readonly string[] {
    return [];
  }
}

describe('a completion', () => {
  it('may complete several arguments', () => {
    const { completions } = compileServer(Notes);
    const paths = { member: 'paths', owner: [], place: 'Notes.paths' };
    expect(completions.get(completionKey('resource', 'notes://{path}', 'path'))).toEqual(paths);
    expect(completions.get(completionKey('prompt', 'review', 'path'))).toEqual(paths);
    expect(completions.size).toBe(2);
  });

  it('of a subclass replaces the inherited one and does not change the base class', () => {
    class More extends Notes {
      @Complete({ prompt: 'review', argument: 'path' }) better(): readonly string[] {
        return [];
      }
    }
    const key = completionKey('prompt', 'review', 'path');
    expect(compileServer(More).completions.get(key)).toEqual({ member: 'better', owner: [], place: 'More.better' });
    expect(compileServer(Notes).completions.get(key)).toEqual({ member: 'paths', owner: [], place: 'Notes.paths' });
  });

  it('of a subclass applies neither to the base class nor to its other subclasses', () => {
    class Left extends Notes {
      @Prompt({}) summary(_args: NotePath): void {}
      @Complete({ prompt: 'summary', argument: 'path' }) more(): readonly string[] {
        return [];
      }
    }
    class Right extends Notes {}
    expect([Left, Right, Notes].map((target) => compileServer(target).completions.size)).toEqual([3, 2, 2]);
  });

  it('still applies after a subclass renames its prompt or template', () => {
    class Renamed extends Notes {
      @Prompt({ name: 'check' }) override review({ path }: NotePath): string {
        return path;
      }
      @Resource({ uriTemplate: 'texts://{path}' }) override text({ path }: NotePath): string {
        return path;
      }
    }
    expect([...compileServer(Renamed).completions.keys()].toSorted()).toEqual([
      completionKey('prompt', 'check', 'path'),
      completionKey('resource', 'texts://{path}', 'path'),
    ]);
  });

  it('is removed together with its prompt or template', () => {
    @McpServer({ prompts: { review: false } })
    class Fewer extends Notes {}
    class Fewest extends Fewer {
      @Disabled() override text(_variables: NotePath): string {
        return '';
      }
      @Tool({ description: 'List the notes' }) list(): void {}
    }
    expect([Fewer, Fewest].map((target) => compileServer(target).completions.size)).toEqual([1, 0]);
  });

  it('distinguishes methods of the same name in different features', () => {
    class Renamed extends Notes {
      override paths(): readonly string[] {
        return ['own'];
      }
    }
    expect(compileServer(Renamed).completions.size).toBe(2);
  });
});

describe('a completion that is a definition error', () => {
  it.each<readonly [string, () => Constructor, string]>([
    [
      'names an unknown template',
      () => {
        class Wrong extends Notes {
          @Complete({ resource: 'notes://{name}', argument: 'name' }) names(): readonly string[] {
            return [];
          }
        }
        return Wrong;
      },
      'Wrong.names: @Complete names "notes://{name}", which is not a URI template of this server; correct the template',
    ],
    [
      'names a variable that the template does not have',
      () => {
        class Wrong extends Notes {
          @Complete({ resource: 'notes://{path}', argument: 'name' }) names(): readonly string[] {
            return [];
          }
        }
        return Wrong;
      },
      'Wrong.names: @Complete names {name}, but "notes://{path}" has no such variable; correct the argument',
    ],
    [
      'names an unknown prompt',
      () => {
        class Wrong extends Notes {
          @Complete({ prompt: 'summary', argument: 'path' }) names(): readonly string[] {
            return [];
          }
        }
        return Wrong;
      },
      'Wrong.names: @Complete names "summary", which is not a prompt of this server; correct the name',
    ],
    [
      'names an argument that the prompt does not have',
      () => {
        class Wrong extends Notes {
          @Complete({ prompt: 'review', argument: 'tone' }) names(): readonly string[] {
            return [];
          }
        }
        return Wrong;
      },
      'Wrong.names: @Complete names the argument "tone", but the prompt "review" has no such argument; correct the argument',
    ],
    [
      'completes the same argument as another method',
      () => {
        class Wrong extends Notes {
          @Complete({ prompt: 'review', argument: 'path' }) first(): readonly string[] {
            return [];
          }
          @Complete({ prompt: 'review', argument: 'path' }) second(): readonly string[] {
            return [];
          }
        }
        return Wrong;
      },
      'Wrong.second: completes the same argument as Wrong.first; remove one of the two',
    ],
    [
      'names neither a prompt nor a template',
      () => {
        class Wrong extends Notes {
          @Complete({ argument: 'tone' }) names(): readonly string[] {
            return [];
          }
        }
        return Wrong;
      },
      'Wrong.names: @Complete requires either prompt or resource',
    ],
  ])('%s', (_, define, problem) => {
    const compile = (): unknown => compileServer(define());
    expect(compile).toThrow(DefinitionError);
    expect(compile).toThrow(problem);
  });
});
