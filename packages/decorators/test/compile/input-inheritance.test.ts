import { IsDefined, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { Field, McpServer, Tool, compileServer } from '../../src/index.ts';

class ReadInput {
  @Field('Path of the note') @IsString() path!: string;
  @Field('Lines') @IsOptional() @IsInt() @Min(1) @Max(100) limit?: number;
}
class ReadLessInput extends ReadInput {
  @Max(10) declare limit?: number;
  @IsOptional() @IsString() encoding?: string;
}
class ReadDefinedInput extends ReadInput {
  @IsDefined() declare limit: number;
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Tool({ description: 'Read a note' }) read(_input: ReadInput): void {}
}
class Less extends Notes {
  @Tool({}) override read(_input: ReadLessInput): void {}
}
class Defined extends Notes {
  @Tool({ input: ReadDefinedInput }) override read(_input: ReadInput): void {}
}

function inputOf(target: typeof Notes): unknown {
  return compileServer(target).tools.get('read')?.definition.inputSchema;
}

describe('an input class that extends another', () => {
  it('has its own and the inherited properties', () => {
    expect(inputOf(Less)).toMatchObject({ properties: { path: {}, limit: {}, encoding: {} }, required: ['path'] });
  });

  it('replaces the inherited validator of the same name, and keeps the others', () => {
    expect(inputOf(Less)).toMatchObject({ properties: { limit: { type: 'integer', minimum: 1, maximum: 10 } } });
  });

  it('can undo @IsOptional() with @IsDefined()', () => {
    expect(inputOf(Defined)).toMatchObject({ required: ['path', 'limit'] });
  });

  it('does not change its base class', () => {
    expect(inputOf(Notes)).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Path of the note' },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Lines' },
      },
      required: ['path'],
      additionalProperties: false,
    });
  });
});
