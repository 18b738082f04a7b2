import { IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Field, McpServer, Tool, compileServer } from '../../src/index.ts';

class Page {
  @Field('Most notes') @IsInt() limit = 20;
}

class SearchInput {
  @Field('Most notes') @IsInt() limit = 20;
  @IsString() order = 'name';
  @Field('Fields to search') @IsString({ each: true }) fields = ['title', 'text'];
  @Field('Text to find') @IsString() text = '';
  @Field('oldest (default): by date') @IsString() first = 'oldest';
  @Field('Sort backwards') @IsBoolean() reverse = false;
  @Field('Match case') @IsBoolean() exact = true;
  @Field('Name of the author') @IsOptional() @IsString() author?: string;
  @Field({ description: 'Page', type: () => Page }) page!: Page;
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Tool({ description: 'Search notes' }) search(_input: SearchInput): void {}

  @Tool({
    description: 'Count notes',
    inputSchema: { type: 'object', properties: { limit: { type: 'integer', default: 5 } } },
  })
  count(_input: unknown): void {}
}

const { search, count } = Object.fromEntries(
  [...compileServer(Notes).tools].map(([name, { definition }]) => [name, definition.inputSchema.properties ?? {}]),
);

describe('the description of a parameter', () => {
  it.each([
    ['limit', 'Most notes; default: 20'],
    ['order', 'Default: name'],
    ['fields', 'Fields to search; default: title, text'],
    ['text', 'Text to find; default: ""'],
    ['exact', 'Match case; default: true'],
  ])('contains the default for %s', (name, description) => {
    expect(search?.[name]).toMatchObject({ description });
    expect(search?.[name]).toHaveProperty('default');
  });

  it('contains the defaults of a nested class', () => {
    expect(search?.['page']).toMatchObject({ properties: { limit: { description: 'Most notes; default: 20' } } });
  });

  it.each([
    ['the description already names the default', 'first', 'oldest (default): by date'],
    ['the default is false', 'reverse', 'Sort backwards'],
    ['the parameter has no default', 'author', 'Name of the author'],
  ])('is unchanged if %s', (_, name, description) => {
    expect(search?.[name]).toMatchObject({ description });
  });

  it('is unchanged in a hand-written JSON Schema', () => {
    expect(count).toEqual({ limit: { type: 'integer', default: 5 } });
  });
});
