import { ProtocolErrorCode } from '@modelcontextprotocol/client';
import { Field, McpServer, Prompt, RequestContext } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

class Review {
  @Field('Path of the note') @IsString() path!: string;
  @IsOptional() @IsInt() lines?: number;
  @IsOptional() @IsBoolean() strict?: boolean;
  @IsIn(['short', 'long']) length = 'short';
}

const MESSAGES = [
  { role: 'user', content: { type: 'text', text: 'Review it' } },
  { role: 'assistant', content: { type: 'text', text: 'Gladly' } },
];

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Prompt({ title: 'Review', description: 'Review a note' }) reviewNote(args: Review, context: RequestContext): string {
    return JSON.stringify({ isReview: args instanceof Review, hasContext: context instanceof RequestContext, ...args });
  }
  @Prompt({ description: 'Two messages' }) async talk(): Promise<unknown> {
    return MESSAGES;
  }
  @Prompt({ description: 'Replaced' }) full(): object {
    return { description: 'Text of its own', messages: MESSAGES };
  }
}

describe.each(ERAS)('the prompts of a server, in the %s era,', (era) => {
  it('are listed with their arguments', async () => {
    await using session = await connect(new Notes(), { era });
    const { prompts } = await session.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['review_note', 'talk', 'full']);
    expect(prompts[0]).toMatchObject({
      title: 'Review',
      description: 'Review a note',
      arguments: [
        { name: 'path', description: 'Path of the note', required: true },
        { name: 'lines', required: false },
        { name: 'strict', required: false },
        { name: 'length', required: false },
      ],
    });
  });
});

describe.each(ERAS)('a prompt, in the %s era,', (era) => {
  it('is sent as one message of the user if it returns a string', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await session.client.getPrompt({ name: 'review_note', arguments: { path: '7' } })).toMatchObject({
      description: 'Review a note',
      messages: [
        { role: 'user', content: { type: 'text', text: '{"isReview":true,"hasContext":true,"path":"7","length":"short"}' } },
      ],
    });
  });

  it('receives its arguments with numbers and booleans parsed', async () => {
    await using session = await connect(new Notes(), { era });
    const { messages } = await session.client.getPrompt({
      name: 'review_note',
      arguments: { path: 'true', lines: '12', strict: 'true', length: 'long' },
    });
    expect(messages).toMatchObject([
      { content: { text: expect.stringContaining('"path":"true","lines":12,"strict":true,"length":"long"') } },
    ]);
  });

  it('sends the messages that it returns', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await session.client.getPrompt({ name: 'talk' })).toMatchObject({ description: 'Two messages', messages: MESSAGES });
  });

  it('returns its result unchanged, with its own description', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await session.client.getPrompt({ name: 'full' })).toMatchObject({
      description: 'Text of its own',
      messages: MESSAGES,
    });
  });

  it.each<[string, Record<string, string> | undefined, string]>([
    ['missing', undefined, 'path: is required'],
    ['of the wrong type', { path: 'a', lines: 'many' }, 'lines: expected an integer, got "many"'],
    ['not one of the values', { path: 'a', length: 'medium' }, 'length: must be one of the following values: short, long'],
    ['unknown', { path: 'a', pth: 'b' }, 'pth: is not known; did you mean "path"?'],
  ])('rejects an argument that is %s, and names the argument', async (_, given, expected) => {
    await using session = await connect(new Notes(), { era });
    await expect(session.client.getPrompt({ name: 'review_note', ...(given && { arguments: given }) })).rejects.toMatchObject({
      code: ProtocolErrorCode.InvalidParams,
      message: expect.stringContaining(expected),
    });
  });

  it('results in a JSON-RPC error if no prompt has the name', async () => {
    await using session = await connect(new Notes(), { era });
    await expect(session.client.getPrompt({ name: 'toString' })).rejects.toMatchObject({
      code: ProtocolErrorCode.InvalidParams,
      message: expect.stringContaining('Unknown prompt: toString'),
    });
  });
});
