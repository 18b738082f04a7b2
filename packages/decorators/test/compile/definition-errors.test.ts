import { IsArray, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Complete, McpServer, Prompt, Resource, Tool, type Constructor } from '../../src/index.ts';
import { readProblems } from './read-problems.ts';

const NAMED = { name: 'notes', version: '1.0.0' };

class NotePath {
  @IsString() path!: string;
}
class NoteName {
  @IsString() name!: string;
}
class Folders {
  @IsArray() folders!: string[];
}

class Paths {
  @IsString({ each: true }) paths!: string[];
}

class NoServer {
  @Tool({ description: 'Read a note' }) read(): void {}
}
@McpServer({ name: 'notes' })
class NoVersion {
  @Tool({ description: 'Read a note' }) read(): void {}
}
@McpServer(NAMED)
class Empty {}
@McpServer(NAMED)
class NoDescription {
  @Tool({}) read(): void {}
}
@McpServer(NAMED)
class BadName {
  @Tool({ description: 'Read a note', name: 'read note' }) read(): void {}
}
@McpServer(NAMED)
class LongName {
  @Tool({ description: 'Read a note', name: 'a'.repeat(65) }) read(): void {}
}
@McpServer(NAMED)
class SameTool {
  @Tool({ description: 'Read a note' }) readNote(): void {}
  @Tool({ description: 'Read a note' }) read_note(): void {}
}
@McpServer(NAMED)
class SameUri {
  @Resource({ uri: 'notes://index' }) index(): void {}
  @Resource({ uri: 'notes://index' }) list(): void {}
}
@McpServer(NAMED)
class SamePrompt {
  @Prompt({ name: 'review' }) review(): void {}
  @Prompt({ name: 'review' }) check(): void {}
}
@McpServer(NAMED)
class ErasedInput {
  @Tool({ description: 'Read a note' }) read(_input: NotePath | undefined): void {}
  @Prompt({}) review(_args: object): void {}
  @Resource({ uriTemplate: 'notes://{path}' }) text(_variables: { readonly path: string }): void {}
}
@McpServer(NAMED)
class FunctionInput {
  @Tool({ description: 'Read a note' }) read(_input: () => void): void {}
}
@McpServer(NAMED)
class PrimitiveInput {
  @Tool({ description: 'Read a note' }) read(_path: string): void {}
}
@McpServer(NAMED)
class BadInput {
  @Tool({ description: 'Read a note', input: Folders }) read(_input: Folders): void {}
}
@McpServer(NAMED)
class BadOutput {
  @Tool({ description: 'Read a note', output: Folders }) read(): Folders {
    return { folders: [] };
  }
}
@McpServer(NAMED)
class NoUri {
  @Resource({}) index(): void {}
}
@McpServer(NAMED)
class TwoUris {
  @Resource({ uri: 'notes://index', uriTemplate: 'notes://{path}' }) index(_variables: NotePath): void {}
}
@McpServer(NAMED)
class BadUri {
  @Resource({ uri: 'index' }) index(): void {}
}
@McpServer(NAMED)
class FixedWithVariables {
  @Resource({ uri: 'notes://index' }) index(_variables: NotePath): void {}
}
@McpServer(NAMED)
class BadTemplate {
  @Resource({ uriTemplate: 'notes://{path*}' }) text(_variables: NotePath): void {}
}
@McpServer(NAMED)
class OtherVariables {
  @Resource({ uriTemplate: 'notes://{folder}/{path}' }) missing(_variables: NotePath): void {}
  @Resource({ uriTemplate: 'notes://{name}' }) surplus(_variables: NotePath): void {}
  @Resource({ uriTemplate: 'notes://other/{path}' }) none(): void {}
}
@McpServer(NAMED)
class SameTemplate {
  @Resource({ uriTemplate: 'notes://{path}' }) first(_variables: NotePath): void {}
  @Resource({ uriTemplate: 'notes://{name}', variables: NoteName }) second(_variables: NoteName): void {}
}

@McpServer(NAMED)
class DecoratedTwice {
  @Tool({ description: 'Read a note' }) @Tool({ title: 'Read' }) read(): void {}
}
@McpServer(NAMED)
class NotText {
  @Prompt({}) review(_args: Paths): void {}
  @Resource({ uriTemplate: 'notes://{paths}' }) text(_variables: Paths): void {}
}
@McpServer(NAMED)
class FixedWithOption {
  @Resource({ uri: 'notes://index', variables: NotePath }) index(): void {}
}
@McpServer(NAMED)
class NoMethods {
  declare read: () => void;
  declare paths: () => string[];
  @Tool({ description: 'List the notes' }) list(): void {}
}
const asJavaScript: Readonly<Record<string, unknown>> = {};
Tool({ description: 'Read a note' })(NoMethods.prototype, 'read', asJavaScript);
Complete({ prompt: 'review', argument: 'path' })(NoMethods.prototype, 'paths', asJavaScript);

const ERASED = 'the class of its first parameter is not known at run time; give it as';

describe('a mistake in the annotations is reported with class, member and remedy:', () => {
  it.each<[string, Constructor, readonly string[]]>([
    ['no @McpServer', NoServer, ["NoServer: needs a name and a version: @McpServer({ name: 'notes', version: '1.0.0' })"]],
    ['no version', NoVersion, ['NoVersion: needs a name and a version']],
    [
      'no tool, resource or prompt',
      Empty,
      ['Empty: has no tool, resource or prompt; decorate a method with @Tool(…), @Resource(…) or @Prompt(…)'],
    ],
    [
      'a tool without description',
      NoDescription,
      ['NoDescription.read: a tool needs a description; models choose tools by their descriptions'],
    ],
    [
      'a tool name that clients reject',
      BadName,
      ['BadName.read: "read note" is not a valid tool name; use 1 to 64 characters of A-Z a-z 0-9 _ - . /'],
    ],
    ['a tool name that is too long', LongName, [`LongName.read: "${'a'.repeat(65)}" is not a valid tool name`]],
    [
      'two tools with the same name',
      SameTool,
      ['SameTool.read_note: the tool "read_note" is already defined by SameTool.readNote'],
    ],
    [
      'two resources with the same URI',
      SameUri,
      ['SameUri.list: the resource "notes://index" is already defined by SameUri.index'],
    ],
    [
      'two prompts with the same name',
      SamePrompt,
      ['SamePrompt.check: the prompt "review" is already defined by SamePrompt.review'],
    ],
    [
      'a parameter whose type is not a class at run time',
      ErasedInput,
      [
        `ErasedInput.read: ${ERASED} input: Dto (input: null for a method that takes only the context), or import the class as a value, not with "import type", and compile with "emitDecoratorMetadata": true`,
        `ErasedInput.text: ${ERASED} variables: Dto`,
        'ErasedInput.text: "notes://{path}" has the variable {path}, but its class has no such property',
        `ErasedInput.review: ${ERASED} args: Dto`,
      ],
    ],
    ['a parameter that is a function', FunctionInput, [`FunctionInput.read: ${ERASED} input: Dto`]],
    [
      'a parameter that is a primitive',
      PrimitiveInput,
      ['PrimitiveInput.read: its first parameter is a string; declare a class with a property for each argument, and give it'],
    ],
    ['a mistake in the input class', BadInput, ['BadInput.read: Folders.folders: is an array without element type']],
    ['a mistake in the output class', BadOutput, ['BadOutput.read: Folders.folders: is an array without element type']],
    ['a resource without URI', NoUri, ['NoUri.index: a resource has either a uri or a uriTemplate']],
    [
      'a resource with URI and template',
      TwoUris,
      [
        'TwoUris.index: a resource has either a uri or a uriTemplate',
        'TwoUris.index: a resource with a fixed uri has no variables',
      ],
    ],
    ['an invalid URI', BadUri, ['BadUri.index: "index" is not a valid URI']],
    [
      'a method with variables for a fixed URI',
      FixedWithVariables,
      ['FixedWithVariables.index: a resource with a fixed uri has no variables; its method takes (context)'],
    ],
    [
      'the option variables for a fixed URI',
      FixedWithOption,
      ['FixedWithOption.index: a resource with a fixed uri has no variables'],
    ],
    ['one decorator twice', DecoratedTwice, ['DecoratedTwice.read: has more than one @Tool']],
    [
      'an argument or variable of a type that text cannot represent',
      NotText,
      [
        'NotText.text: "paths" is an array or object, which text cannot represent; use text, numbers or booleans',
        'NotText.review: "paths" is an array or object, which text cannot represent; use text, numbers or booleans',
      ],
    ],
    [
      'an annotated member that is not a method',
      NoMethods,
      ['NoMethods.read: @Tool is for methods', 'NoMethods.paths: @Complete is for methods'],
    ],
    [
      'an invalid template',
      BadTemplate,
      ['BadTemplate.text: the URI template "notes://{path*}" is invalid: {path*} is not supported'],
    ],
    [
      'a template whose variables differ from its class',
      OtherVariables,
      [
        'OtherVariables.missing: "notes://{folder}/{path}" has the variable {folder}, but its class has no such property',
        'OtherVariables.surplus: "notes://{name}" has the variable {name}, but its class has no such property',
        'OtherVariables.surplus: its class has the property "path", but "notes://{name}" has no such variable',
        'OtherVariables.none: "notes://other/{path}" has the variable {path}, but its class has no such property',
      ],
    ],
    [
      'two templates that match the same URIs',
      SameTemplate,
      ['SameTemplate.second: its URI template matches the same URIs as the template of SameTemplate.first'],
    ],
  ])('%s', (_, target, expected) => {
    expect(readProblems(target)).toEqual(expected.map((beginning) => expect.stringMatching(beginningWith(beginning))));
  });
});

function beginningWith(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`);
}
