import { Field, McpServer, Prompt, Resource, Tool, type ToolHints } from '@org/mcp-decorators';
import { IsIn, IsInt, IsOptional, IsString, Max } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { expectCompatible } from '../../src/index.ts';

class NotePath {
  @Field('Path') @IsString() path!: string;
}
class ReadInput extends NotePath {
  @IsOptional() @IsInt() @Max(100) limit?: number;
}
class Stats {
  @IsInt() words!: number;
  @IsOptional() @IsString() language?: string;
}
class ReviewArgs {
  @IsString() path!: string;
  @IsOptional() @IsString() tone?: string;
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Tool({ description: 'Read', input: ReadInput, annotations: { readOnlyHint: true } }) read(_: ReadInput): string {
    return '';
  }
  @Tool({ description: 'Count', output: Stats }) stats(): Stats {
    return { words: 0 };
  }
  @Tool({ description: 'Append', annotations: { destructiveHint: false, openWorldHint: false } }) append(): void {}
  @Resource({ uri: 'notes://index' }) index(): string {
    return '';
  }
  @Resource({ uriTemplate: 'notes://text/{+path}', variables: NotePath }) text(_: NotePath): string {
    return '';
  }
  @Prompt({ args: ReviewArgs }) review(_: ReviewArgs): string {
    return '';
  }
}

class Narrower {
  @IsString() path!: string;
  @IsInt() @Max(10) limit!: number;
  @IsOptional() @IsIn(['utf8']) encoding?: string;
}
class Pathless {
  @IsOptional() @IsInt() limit?: number;
}
class FewerStats {
  @IsOptional() @IsInt() words?: number;
}
class StrictArgs {
  @IsString() tone!: string;
  @IsString() language!: string;
}

type Decorator = (prototype: object, member: string, method: TypedPropertyDescriptor<never>) => void;

/** Returns a subclass that decorates one method of its parent again. */
function decorated(method: keyof Notes, decorator: Decorator): new () => Notes {
  class Acme extends Notes {}
  decorator(Acme.prototype, method, {});
  return Acme;
}

function linesOf(subclass: new () => object, except: readonly string[] = []): readonly string[] {
  try {
    expectCompatible(subclass, Notes, { except });
    return [];
  } catch (error) {
    return String(error).split('\n- ').slice(1);
  }
}

describe('a subclass', () => {
  it.each<[string, new () => Notes, readonly string[]]>([
    ['renames a tool', decorated('read', Tool({ name: 'read_note' })), ['tool read: was renamed to read_note']],
    [
      'narrows the arguments of a tool',
      decorated('read', Tool({ input: Narrower })),
      ['tool read: argument limit: maximum was 100, is 10', 'tool read: argument limit is newly required'],
    ],
    ['removes an argument', decorated('read', Tool({ input: Pathless })), ['tool read: argument path was removed']],
    [
      'removes a property of a result',
      decorated('stats', Tool({ output: FewerStats })),
      ['tool stats: result language was removed', 'tool stats: result words is no longer guaranteed'],
    ],
    [
      'moves a resource',
      decorated('index', Resource({ uri: 'notes://all' })),
      ['resource notes://index: was renamed to notes://all'],
    ],
    [
      'moves a template',
      decorated('text', Resource({ uriTemplate: 'notes://{+path}' })),
      ['resource template notes://text/{+path}: was renamed to notes://{+path}'],
    ],
    ['renames a prompt', decorated('review', Prompt({ name: 'check' })), ['prompt review: was renamed to check']],
    [
      'changes the arguments of a prompt',
      decorated('review', Prompt({ args: StrictArgs })),
      [
        'prompt review: argument path was removed',
        'prompt review: argument tone is newly required',
        'prompt review: argument language is newly required',
      ],
    ],
  ])('breaks the clients of its parent if it %s', (_, subclass, lines) => {
    expect(linesOf(subclass)).toEqual(lines);
  });

  it.each<[string, keyof Notes, ToolHints, readonly string[]]>([
    ['readOnlyHint', 'read', { readOnlyHint: false }, ['tool read: readOnlyHint was true, is false']],
    ['destructiveHint', 'append', { destructiveHint: true }, ['tool append: destructiveHint was false, is true']],
    ['openWorldHint', 'append', { openWorldHint: true }, ['tool append: openWorldHint was false, is true']],
    ['no weaker hint, because the tool is read-only', 'append', { readOnlyHint: true, destructiveHint: true }, []],
    ['no weaker hint, but stronger ones', 'stats', { readOnlyHint: true, idempotentHint: true, openWorldHint: false }, []],
  ])('breaks the clients of its parent with weaker hints: %s', (_, tool, annotations, lines) => {
    expect(linesOf(decorated(tool, Tool({ annotations })))).toEqual(lines);
  });

  it('breaks the clients of a parent that promised to be idempotent', () => {
    const parent = decorated('append', Tool({ annotations: { idempotentHint: true } }));
    expect(() => expectCompatible(Notes, parent)).toThrow('tool append: idempotentHint was true, is false');
  });

  it('is named in the error, with its parent', () => {
    const subclass = decorated('read', Tool({ name: 'read_note' }));
    expect(() => expectCompatible(subclass, Notes)).toThrow(
      /^Acme breaks clients of Notes:\n- tool read: was renamed to read_note$/,
    );
  });

  it('is compatible if it only adds, or changes descriptions', () => {
    class Wider extends ReadInput {
      @IsOptional() @IsString() encoding?: string;
    }
    class MoreStats extends Stats {
      @IsInt() lines!: number;
    }
    @McpServer({ name: 'acme-notes', version: '2.0.0' })
    class Acme extends Notes {
      @Tool({ description: 'Read a note', input: Wider }) override read(input: Wider): string {
        return super.read(input);
      }
      @Tool({ output: MoreStats }) override stats(): MoreStats {
        return { words: 0, lines: 0 };
      }
      @Tool({ description: 'More' }) more(): void {}
    }
    expect(linesOf(Acme)).toEqual([]);
    expect(linesOf(Notes)).toEqual([]);
  });
});

describe('an unrelated class', () => {
  @McpServer({ name: 'other', version: '1.0.0' })
  class Other {
    @Tool({ description: 'Count' }) stats(): void {}
  }

  it('breaks clients with everything that it does not have', () => {
    expect(linesOf(Other)).toEqual([
      'tool read: was removed',
      'tool stats: the result no longer has structured content',
      'tool append: was removed',
      'resource notes://index: was removed',
      'resource template notes://text/{+path}: was removed',
      'prompt review: was removed',
    ]);
  });

  it('may have the differences that except lists', () => {
    const except = ['read', 'stats', 'append', 'notes://index', 'notes://text/{+path}'];
    expect(linesOf(Other, except)).toEqual(['prompt review: was removed']);
    expect(linesOf(Other, [...except, 'review'])).toEqual([]);
  });

  it('causes an error if except lists an unknown item', () => {
    expect(() => expectCompatible(Other, Notes, { except: ['reed'] })).toThrow(
      '"reed" is listed in except, but Notes has no such item',
    );
  });
});
