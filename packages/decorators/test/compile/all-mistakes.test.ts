import { IsArray, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Complete, Disabled, Feature, McpServer, Prompt, Resource, Tool, compileServer } from '../../src/index.ts';
import { readProblems } from './read-problems.ts';

class NotePath {
  @IsString() path!: string;
}
class Folders {
  @IsArray() folders!: string[];
}
class Empty {}
class Search {
  @Tool({ description: 'Find notes', timeoutMs: 0 }) find(): void {}
}

@McpServer({ name: 'notes', pageSize: 0, tools: { raed: false }, prompts: { review: { args: 'NotePath' as never } } })
class Many {
  @Tool({ name: 'a b' }) first(_input: Folders): void {}
  @Tool({ description: 'Find notes' }) find(_input: object): void {}
  @Tool({ description: 'Raw', inputSchema: { type: 'array' } }) raw(): void {}
  @Resource({ uri: 'index', annotations: { priority: 2 } }) second(): void {}
  @Resource({ uriTemplate: 'notes://{name}' }) third(_variables: NotePath): void {}
  @Prompt({}) review(_args: NotePath): void {}
  @Complete({ prompt: 'summary', argument: 'path' }) fourth(): string[] {
    return [];
  }
  @Disabled() fifth(): void {}
  @Feature() readonly search: Search = new Search();
  @Feature() readonly empty: Empty = new Empty();
}

describe('all mistakes of a class', () => {
  it('are reported in one error, one line each, with class, member and remedy', () => {
    const problems = readProblems(Many);
    expect(problems.map((problem) => problem.slice(0, 58).trimEnd())).toMatchInlineSnapshot(`
      [
        "Many.empty: contains Empty, which has no annotated method;",
        "Many.fifth: @Disabled decorates a method without an annota",
        "Many: tools.raed: the server has no tool "raed", only a b,",
        "Many: prompts.review: args must be a class",
        "Many.raw: inputSchema must be a JSON Schema of type "objec",
        "Search.find: timeoutMs must be an integer from 1 to 214748",
        "Many.first: Folders.folders: is an array without element t",
        "Many.first: "a b" is not a valid tool name; use 1 to 64 ch",
        "Many.first: a tool needs a description; models choose tool",
        "Many.find: the class of its first parameter is not known a",
        "Many.second: annotations.priority must be a number from 0",
        "Many.third: "notes://{name}" has the variable {name}, but",
        "Many.third: its class has the property "path", but "notes:",
        "Many.second: "index" is not a valid URI; write an absolute",
        "Many.fourth: @Complete names "summary", which is not a pro",
        "Many: pageSize must be an integer of at least 1",
        "Many: needs a name and a version: @McpServer({ name: 'note",
        "Search.find of the feature search: the tool "find" is alre",
      ]
    `);
    expect(() => compileServer(Many)).toThrow(problems.join('\n'));
  });

  it('are reported with the class that contains them', () => {
    @McpServer({ name: 'notes', version: '1.0.0' })
    class Above {
      @Tool({}) read(): void {}
    }
    class Sub extends Above {
      @Tool({}) write(): void {}
    }
    expect(readProblems(Sub)).toEqual([
      'Above.read: a tool needs a description; models choose tools by their descriptions',
      'Sub.write: a tool needs a description; models choose tools by their descriptions',
    ]);
  });

  it('are not cached: the class is compiled again on the next request', () => {
    expect(readProblems(Many)).toEqual(readProblems(Many));
  });
});
