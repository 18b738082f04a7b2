import { IsInt, IsString } from 'class-validator';

import { Field, McpServer, Prompt, RequestContext, Resource, Result, Tool } from '../src/index.ts';

class NotePath {
  @IsString() path!: string;
}
class NoteWindow extends NotePath {
  @IsInt() limit!: number;
}
class NoteStats {
  @IsInt() words!: number;
}

export class WellTypedTools {
  @Tool({ description: 'input and context' }) read(_input: NotePath, _context: RequestContext): string {
    return '';
  }
  @Tool({ description: 'input alone' }) async readLater(_input: NotePath): Promise<string> {
    return '';
  }
  @Tool({ description: 'context alone' }) list(_context: RequestContext): string[] {
    return [];
  }
  @Tool({ description: 'nothing' }) ping(): void {}
  @Tool({ description: 'the class of the parameter', input: NotePath }) same(_input: NotePath): void {}
  @Tool({ description: 'a class with more than is needed', input: NoteWindow }) more(_input: NotePath): void {}
  @Tool({ description: 'an input that is not looked at', input: NotePath }) unread(): void {}
  @Tool({ description: 'the output', output: NoteStats }) stats(_input: NotePath): NoteStats {
    return { words: 0 };
  }
  @Tool({ description: 'the output, later', input: NotePath, output: NoteStats }) async statsLater(
    _input: NotePath,
  ): Promise<NoteStats> {
    return { words: 0 };
  }
  @Tool({ description: 'a Result instead of the output', output: NoteStats }) told(): Result {
    return Result.of({ words: 0 }, 'no words');
  }
  @Tool({ description: 'either', output: NoteStats }) async either(): Promise<NoteStats | Result> {
    return { words: 0 };
  }
}

export class WronglyTypedTools {
  // @ts-expect-error the method needs a limit, and the input class has none
  @Tool({ description: '', input: NotePath }) window(_input: NoteWindow): void {}

  // @ts-expect-error the method takes a string, and the input is an instance of a class
  @Tool({ description: '', input: NotePath }) path(_path: string): void {}

  // @ts-expect-error the output class has words, and the method returns lines
  @Tool({ description: '', output: NoteStats }) lines(): { lines: number } {
    return { lines: 0 };
  }

  // @ts-expect-error with an output class, text alone is no result
  @Tool({ description: '', output: NoteStats }) async text(): Promise<string> {
    return '';
  }

  // @ts-expect-error the method returns nothing
  @Tool({ description: '', output: NoteStats }) nothing(): void {}

  // @ts-expect-error a tool is a method
  @Tool({ description: '' }) property = 'not a method';

  // @ts-expect-error an option of no such name
  @Tool({ description: '', inputs: NotePath }) misspelt(_input: NotePath): void {}

  // @ts-expect-error the input is given as a class, not as an instance
  @Tool({ description: '', input: new NotePath() }) instance(_input: NotePath): void {}

  // @ts-expect-error a hint is true or false
  @Tool({ description: '', annotations: { readOnlyHint: 'yes' } }) hint(): void {}
}

export class Resources {
  @Resource({ uri: 'notes://index' }) index(_context: RequestContext): object {
    return {};
  }
  @Resource({ uriTemplate: 'notes://{+path}', variables: NotePath }) text(
    _variables: NotePath,
    _context: RequestContext,
  ): Uint8Array {
    return new Uint8Array();
  }

  // @ts-expect-error the method needs a limit, and the class of the variables has none
  @Resource({ uriTemplate: 'notes://{+path}', variables: NotePath }) window(_variables: NoteWindow): void {}
}

export class Prompts {
  @Prompt({ args: NotePath }) review(_args: NotePath, _context: RequestContext): string {
    return '';
  }
  @Prompt({}) greet(): string {
    return '';
  }

  // @ts-expect-error the method needs a limit, and the class of the arguments has none
  @Prompt({ args: NotePath }) window(_args: NoteWindow): void {}
}

export class Fields {
  @Field('Inside', { type: () => NotePath }) inside!: NotePath;

  // @ts-expect-error the class is given by a function, so that it may be declared later
  @Field('Inside', { type: NotePath }) direct!: NotePath;

  // @ts-expect-error a field needs a description
  @Field() nameless!: string;
}

// @ts-expect-error a version is a string
@McpServer({ name: 'notes', version: 1 })
export class WronglyVersioned {}

@McpServer({ name: 'notes', version: '1.0.0' })
export class WithOptions {
  readonly root: string;
  constructor(options: { readonly root: string }) {
    this.root = options.root;
  }
}
