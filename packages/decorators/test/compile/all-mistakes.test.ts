import { IsArray, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Complete, compileServer, Disabled, Feature, McpServer, Prompt, Resource, Tool } from '../../src/index.ts';
import { problemsOf } from './problems-of.ts';

class NotePath {
  @IsString() path!: string;
}
class Folders {
  @IsArray() folders!: string[];
}
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
  @Feature() readonly erased: object = new Search();
}

describe('all mistakes of a class', () => {
  it('come in one error, one line each, with the class, the member and the remedy', () => {
    const problems = problemsOf(Many);
    expect(problems.map((problem) => problem.slice(0, 58).trimEnd())).toMatchInlineSnapshot(`
      [
        "Many.erased: the class of the feature is not known at run",
        "Many.fifth: @Disabled stands on a method that nobody annot",
        "Many: tools.raed: the server has no tool "raed", only a b,",
        "Many: prompts.review: args must be a class",
        "Many.raw: inputSchema must be a JSON Schema of type "objec",
        "Search.find: timeoutMs must be a whole number from 1 to 21",
        "Many.first: Folders.folders: is an array without element t",
        "Many.first: "a b" is not a tool name; use 1 to 64 of A-Z a",
        "Many.first: a tool needs a description; models choose by i",
        "Many.find: the class of its first parameter is not known a",
        "Many.second: annotations.priority must be a number from 0",
        "Many.third: "notes://{name}" has {name}, its class has not",
        "Many.third: its class has "path", "notes://{name}" has not",
        "Many.second: "index" is not a URI",
        "Many.fourth: @Complete names "summary", which is no prompt",
        "Many: pageSize must be a whole number from 1 on",
        "Many: needs a name and a version: @McpServer({ name: 'note",
        "Search.find of the feature search: the tool "find" is alre",
      ]
    `);
    expect(() => compileServer(Many)).toThrow(problems.join('\n'));
  });

  it('are named by the class that made them', () => {
    @McpServer({ name: 'notes', version: '1.0.0' })
    class Above {
      @Tool({}) read(): void {}
    }
    class Sub extends Above {
      @Tool({}) write(): void {}
    }
    expect(problemsOf(Sub)).toEqual([
      'Above.read: a tool needs a description; models choose by it',
      'Sub.write: a tool needs a description; models choose by it',
    ]);
  });

  it('are not kept: a class is compiled again when it is asked for again', () => {
    expect(problemsOf(Many)).toEqual(problemsOf(Many));
  });
});
