import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import {
  Complete,
  Disabled,
  Feature,
  McpServer,
  Prompt,
  RequestContext,
  Resource,
  Tool,
  type Constructor,
} from '../../src/index.ts';
import { readProblems } from './read-problems.ts';

class NotePath {
  @IsString() path!: string;
}
class Tags {
  @IsString({ each: true }) tags!: string[];
}
class Search {
  @Tool({ description: 'Find notes' }) find(): void {}
}
class Wordless {}

/** Type of a value that is passed without a type check, as in a JavaScript program. */
type Unchecked = never;

interface Mistake {
  readonly title: string;
  readonly declare: () => Constructor;
  /** The place that the message names: `Class.member`, or only the name of the class. */
  readonly place: string;
  readonly remedy: string;
}

function server(options: object, base: Constructor = Object): Constructor {
  @McpServer({ name: 'notes', version: '1.0.0', ...options })
  class Server extends base {}
  return Server;
}

/** Returns a test case whose mistake is in the options of the tool `read`. */
function tool(title: string, options: object, remedy: string, method: (...given: never[]) => unknown = () => undefined): Mistake {
  const declare = (): Constructor => {
    class Notes {}
    Object.defineProperty(Notes.prototype, 'read', { value: method, configurable: true, writable: true });
    Tool({ description: 'Read a note', ...options })(Notes.prototype, 'read', {});
    return server({}, Notes);
  };
  return { title, declare, place: 'Notes.read', remedy };
}

/** Returns a test case with a class of correct features, to which `annotate` adds a mistake. */
function member(title: string, place: string, remedy: string, annotate: (prototype: object) => void): Mistake {
  const declare = (): Constructor => {
    class Notes {
      @Tool({ description: 'Read a note' }) read(_input: NotePath): void {}
      other(..._given: unknown[]): void {}
      @Prompt({ description: 'Review a note' }) review(_args: NotePath): void {}
      search = new Search();
    }
    annotate(Notes.prototype);
    return server({}, Notes);
  };
  return { title, declare, place, remedy };
}

/** Returns a test case whose mistake is in the options of `@McpServer`. */
function options(title: string, given: object, remedy: string): Mistake {
  const declare = (): Constructor => {
    class Notes {
      @Tool({ description: 'Read a note' }) read(_input: NotePath): void {}
    }
    return server(given, Notes);
  };
  return { title, declare, place: 'Server', remedy };
}

const ANY = {} as Unchecked;

const MISTAKES: readonly Mistake[] = [
  tool('no description', { description: undefined }, 'needs a description; models choose tools by their descriptions'),
  tool('a name with a space', { name: 'read note' }, 'use 1 to 64 characters of A-Z a-z 0-9 _ - . /'),
  tool('a time limit of 0', { timeoutMs: 0 }, 'timeoutMs must be an integer from 1 to'),
  tool('a rate limit without a time', { rateLimit: { calls: 1 } }, 'rateLimit.perSeconds is missing'),
  tool('a hint that is a text', { annotations: { readOnlyHint: 'yes' } }, 'annotations.readOnlyHint must be true or false'),
  tool('contradicting hints', { annotations: { readOnlyHint: true, destructiveHint: true } }, 'remove one of the two hints'),
  tool('an input that is an instance', { input: new NotePath() }, 'input must be a class'),
  tool('an output that is a list', { output: Array }, 'output must be a class'),
  tool('input and inputSchema', { input: NotePath, inputSchema: { type: 'object' } }, 'give one of them'),
  tool('an inputSchema of a text', { inputSchema: { type: 'string' } }, 'must be a JSON Schema of type "object"'),
  tool('a scope with a space', { scopes: ['read write'] }, 'must be an OAuth scope: printable ASCII without spaces'),
  tool('a set with capitals', { sets: ['Write'] }, 'must be the name of a set: lower-case letters'),
  tool('a set with the name of a tool', { sets: ['read'] }, 'rename the set'),
  tool('a key of the protocol', { _meta: { progressToken: 1 } }, 'is a key of the protocol itself'),
  tool('a parameter without metadata', {}, 'give it as input: Dto', (_input: never) => undefined),
  tool('an input without properties', { input: Wordless }, 'add @Field and a rule of class-validator'),
  member('@Tool twice', 'Notes.read', 'keep one', (notes) => Tool({ title: 'Read' })(notes, 'read', ANY)),
  member('@Tool on a property', 'Notes.search', 'declare the property as a method', (notes) =>
    Tool({ description: 'Search' })(notes, 'search', ANY),
  ),
  member('the context first', 'Notes.other', 'write (input, context)', (notes) => {
    Object.defineProperty(notes, 'other', { value: (_context: unknown, _input: unknown) => undefined });
    Reflect.defineMetadata('design:paramtypes', [RequestContext, NotePath], notes, 'other');
    Tool({ description: 'Other' })(notes, 'other', ANY);
  }),
  member('a text as parameter', 'Notes.other', 'declare a class with a property for each argument', (notes) => {
    Reflect.defineMetadata('design:paramtypes', [String], notes, 'other');
    Tool({ description: 'Other' })(notes, 'other', ANY);
  }),
  member('a list as argument of a prompt', 'Notes.other', 'use text, numbers or booleans', (notes) =>
    Prompt({ args: Tags } as Unchecked)(notes, 'other', ANY),
  ),
  member('two tools with one name', 'Notes.other', 'change one of the two', (notes) =>
    Tool({ description: 'Read', name: 'read', input: null })(notes, 'other', ANY),
  ),
  member('a relative URI', 'Notes.other', 'write an absolute URI such as notes://index', (notes) =>
    Resource({ uri: 'index' })(notes, 'other', ANY),
  ),
  member('a resource without URI', 'Notes.other', 'give one of them', (notes) => Resource({})(notes, 'other', ANY)),
  member('a template with a list', 'Notes.other', 'write {name}, {+name}', (notes) =>
    Resource({ uriTemplate: 'notes://{path*}', variables: NotePath } as Unchecked)(notes, 'other', ANY),
  ),
  member('a variable without property', 'Notes.other', 'add the property', (notes) =>
    Resource({ uriTemplate: 'notes://{path}/{folder}', variables: NotePath } as Unchecked)(notes, 'other', ANY),
  ),
  member('a completion of an unknown prompt', 'Notes.other', 'correct the name', (notes) =>
    Complete({ prompt: 'reveiw', argument: 'path' })(notes, 'other', ANY),
  ),
  member('a completion of an unknown argument', 'Notes.other', 'correct the argument', (notes) =>
    Complete({ prompt: 'review', argument: 'paht' })(notes, 'other', ANY),
  ),
  member('a completion of nothing', 'Notes.other', 'give one of them', (notes) =>
    Complete({ argument: 'path' })(notes, 'other', ANY),
  ),
  member('@Disabled on a plain method', 'Notes.other', 'remove @Disabled, or decorate an override', (notes) =>
    Disabled()(notes, 'other', ANY),
  ),
  member('a feature without declared type', 'Notes.search', 'declare it as the type of the property', (notes) =>
    Feature()(notes, 'search' as Unchecked),
  ),
  member('a feature without annotations', 'Notes.search', 'remove @Feature(), or decorate a method', (notes) =>
    Feature({ type: () => Wordless })(notes, 'search' as Unchecked),
  ),
  options('no version', { version: undefined }, "@McpServer({ name: 'notes', version: '1.0.0' })"),
  options('an unknown name in a table', { tools: { raed: false } }, 'did you mean "read"?'),
  options('a change of a name in a table', { tools: { read: { name: 'write' } } }, 'only description, title, annotations'),
  options('a page without entries', { pageSize: 0 }, 'pageSize must be an integer of at least 1'),
  options('a relative website', { websiteUrl: 'example.org' }, 'websiteUrl must be a URL'),
  options('an extension without prefix', { extensions: { reports: {} } }, 'has no prefix such as com.example/'),
];

describe('a planted mistake in a member or an option is reported at the start, with its place and a remedy:', () => {
  it.each(MISTAKES)('$title', ({ declare, place, remedy }) => {
    const problems = readProblems(declare());
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${place.replace('.', '\\.')}: `))]);
    expect(problems[0]).toContain(remedy);
  });
});
