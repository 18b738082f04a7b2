import { IsInt, IsString } from 'class-validator';

import {
  Complete,
  Disabled,
  Feature,
  Field,
  Flag,
  Integer,
  ListOf,
  McpServer,
  ObjectOf,
  OneOf,
  Prompt,
  RequestContext,
  Resource,
  Result,
  Text,
  TextList,
  Tool,
} from '../src/index.ts';

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

  // @ts-expect-error a method with an output class must not return text only
  @Tool({ description: '', output: NoteStats }) async text(): Promise<string> {
    return '';
  }

  // @ts-expect-error the method returns nothing
  @Tool({ description: '', output: NoteStats }) nothing(): void {}

  // @ts-expect-error a tool is a method
  @Tool({ description: '' }) property = 'not a method';

  // @ts-expect-error the option does not exist
  @Tool({ description: '', inputs: NotePath }) misspelt(_input: NotePath): void {}

  // @ts-expect-error the input is given as a class, not as an instance
  @Tool({ description: '', input: new NotePath() }) instance(_input: NotePath): void {}

  // @ts-expect-error a hint is true or false
  @Tool({ description: '', annotations: { readOnlyHint: 'yes' } }) hint(): void {}

  // @ts-expect-error the output class has words, and the method promises lines
  @Tool({ description: '', output: NoteStats }) async linesLater(): Promise<{ lines: number }> {
    return { lines: 0 };
  }

  // @ts-expect-error a rate limit needs a time
  @Tool({ description: '', rateLimit: { calls: 1 } }) rate(): void {}

  // @ts-expect-error scopes are a list
  @Tool({ description: '', scopes: 'read' }) scoped(): void {}

  // @ts-expect-error a schema is an object, not its JSON
  @Tool({ description: '', inputSchema: '{}' }) written(_input: object): void {}
}

export class DecoratorsWithoutParentheses {
  // @ts-expect-error a decorator has options, even if they are empty
  @Tool tool(): void {}

  // @ts-expect-error a decorator has parentheses
  @Disabled disabled(): void {}

  // @ts-expect-error a decorator has parentheses
  @Text text!: string;

  // @ts-expect-error a decorator has parentheses
  @Field field!: string;

  // @ts-expect-error a decorator has parentheses
  @Feature feature: Search = new Search();
}

export class RawTools {
  @Tool({ description: 'a schema', inputSchema: { type: 'object' }, timeoutMs: 1000, maxConcurrent: 1 })
  raw(_input: Readonly<Record<string, unknown>>, _context: RequestContext): void {}
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

  @Resource({
    uri: 'notes://today',
    annotations: { audience: ['user'], priority: 1, lastModified: '2026-07-28T12:00:00Z' },
    cache: { ttlMs: 1000, cacheScope: 'public' },
  })
  today(): string {
    return '';
  }

  // @ts-expect-error resources are for the user or the assistant
  @Resource({ uri: 'notes://all', annotations: { audience: ['everyone'] } }) all(): void {}

  // @ts-expect-error a cache is public or private
  @Resource({ uri: 'notes://shared', cache: { cacheScope: 'shared' } }) shared(): void {}

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

const DRAWERS = { dot: () => '.', line: () => '-' };

export class CompositeFields {
  @Text('Name') name!: string;
  @Text('Name', { maxLength: 9, optional: true }) maybe?: string;
  @Text({ optional: true }) bare?: string;
  @Integer('Count', { min: 1 }) count = 1;
  @Integer('Count') wider!: number | string;
  @Flag('Hidden', { optional: true }) hidden?: boolean;
  @OneOf(['asc', 'desc'], 'Order') order!: 'asc' | 'desc';
  @OneOf(['asc', 'desc'], 'Order') anyOrder!: string;
  @OneOf([1, 2], 'Level') level!: 1 | 2;
  @OneOf(DRAWERS, 'Drawer', { optional: true }) drawer?: keyof typeof DRAWERS;
  @TextList('Paths', { maxItems: 9 }) paths: readonly string[] = [];
  @ListOf(() => NotePath, 'Notes') notes!: NotePath[];
  @ListOf(() => NoteWindow, 'Notes') windows!: NotePath[];
  @ObjectOf(() => NotePath, 'Note', { optional: true }) note?: NotePath;
  @Text('Not visible here') protected inner!: string;
}

export class WronglyTypedFields {
  // @ts-expect-error the property is a number
  @Text('Name') name!: number;

  // @ts-expect-error the property is a string
  @Integer('Count') count!: string;

  // @ts-expect-error the property is a number
  @Flag('Hidden') hidden!: number;

  // @ts-expect-error the property does not accept desc
  @OneOf(['asc', 'desc'], 'Order') order!: 'asc';

  // @ts-expect-error the property does not accept line
  @OneOf(DRAWERS, 'Drawer') drawer!: 'dot';

  // @ts-expect-error the property does not accept numbers
  @OneOf([1, 2], 'Level') level!: '1' | '2';

  // @ts-expect-error the property is a single string
  @TextList('Paths') paths!: string;

  // @ts-expect-error a NotePath has no limit
  @ListOf(() => NotePath, 'Notes') notes!: NoteWindow[];

  // @ts-expect-error the property is a list
  @ObjectOf(() => NotePath, 'Note') note!: NotePath[];
}

export class WronglyOptionalFields {
  // @ts-expect-error the field is optional, and the property has no question mark
  @Text('Name', { optional: true }) name!: string;

  // @ts-expect-error the property has a question mark, and the field is required
  @Text('Name') maybe?: string;

  // @ts-expect-error the property may be undefined, and the field is required
  @Integer('Count', { min: 1 }) count!: number | undefined;

  // @ts-expect-error the field is optional, and the property has no question mark
  @OneOf(['asc', 'desc'], 'Order', { optional: true }) order!: 'asc' | 'desc';

  // @ts-expect-error the property has a question mark, and the field is required
  @ListOf(() => NotePath, 'Notes') notes?: NotePath[];
}

export class WrongFieldOptions {
  // @ts-expect-error a length limit is a number
  @Text('Name', { maxLength: '9' }) name!: string;

  // @ts-expect-error the option is maxLength
  @Text('Name', { minLength: 1, maxLenght: 9 }) misspelt!: string;

  // @ts-expect-error an integer has no length
  @Integer('Count', { min: 1, maxLength: 9 }) count!: number;

  // @ts-expect-error the class is given by a function, so that it may be declared later
  @ObjectOf(NotePath, 'Note') note!: NotePath;
}

// @ts-expect-error a version is a string
@McpServer({ name: 'notes', version: 1 })
export class WronglyVersioned {}

export class Completions {
  @Complete({ prompt: 'review', argument: 'path' }) async paths(
    _value: string,
    _given: Readonly<Record<string, string>>,
    _context: RequestContext,
  ): Promise<readonly string[]> {
    return [];
  }

  // @ts-expect-error candidates are strings
  @Complete({ prompt: 'review', argument: 'path' }) numbers(): number[] {
    return [];
  }
}

export class Disabling extends WellTypedTools {
  @Disabled() override ping(): void {}

  // @ts-expect-error a method is disabled, not a property
  @Disabled() property = 'not a method';
}

class Search {
  @Tool({ description: 'Find notes' }) find(): string {
    return '';
  }
}
class FastSearch extends Search {
  readonly index: readonly string[] = [];
}
interface Finding {
  find(): string;
}

export class Features {
  @Feature() readonly search: Search = new Search();
  @Feature() protected readonly hidden: Search = new Search();
  @Feature({ type: () => Search }) readonly behindAnInterface: Finding = new Search();
  @Feature({ type: () => FastSearch }) readonly narrower: Search = new FastSearch();

  // @ts-expect-error a feature is an object
  @Feature() readonly text: string = '';

  // @ts-expect-error a feature is always there
  @Feature() readonly perhaps?: Search;

  // @ts-expect-error the property needs a FastSearch, and a Search is not enough
  @Feature({ type: () => Search }) readonly wider: FastSearch = new FastSearch();

  // @ts-expect-error the class is given by a function, so that it may be declared later
  @Feature({ type: Search }) readonly direct: Search = new Search();
}

@McpServer({
  tools: {
    read: false,
    list: true,
    stats: { description: '', title: '', annotations: { readOnlyHint: true }, input: NotePath, timeoutMs: 1, maxConcurrent: 1 },
  },
  prompts: { review: { description: '', title: '', args: NotePath } },
  resources: {
    index: { description: '', title: '', mimeType: '', annotations: { priority: 0 }, cache: { ttlMs: 0 } },
  },
  cache: { ttlMs: 1000 },
  pageSize: 50,
})
export class WithTables {}

// @ts-expect-error a table cannot rename a tool
@McpServer({ tools: { read: { name: 'read_note' } } })
export class Renaming {}

// @ts-expect-error a table cannot change the output class
@McpServer({ tools: { read: { output: NoteStats } } })
export class ChangingOutput {}

// @ts-expect-error a tool is removed by false
@McpServer({ tools: { read: null } })
export class Removing {}

// @ts-expect-error the input is given as a class, not as an instance
@McpServer({ tools: { read: { input: new NotePath() } } })
export class ChangingInput {}

// @ts-expect-error a prompt has arguments, not an input
@McpServer({ prompts: { review: { input: NotePath } } })
export class ChangingPrompt {}

// @ts-expect-error a table cannot change the URI of a resource
@McpServer({ resources: { index: { uri: 'notes://other' } } })
export class ChangingResource {}

@McpServer({ name: 'notes', version: '1.0.0' })
export class WithOptions {
  readonly root: string;
  constructor(options: { readonly root: string }) {
    this.root = options.root;
  }
}
