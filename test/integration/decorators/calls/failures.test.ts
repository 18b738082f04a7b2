import { ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/client';
import { ProtocolError } from '@modelcontextprotocol/server';
import { McpServer, Prompt, Resource, Tool, ToolError } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { errorListener } from '../../support/recorders.ts';

const SECRET = new Error('connect to postgres://admin:hunter2@db failed');

class Path {
  @IsString() path!: string;
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Tool({ description: 'Fails on purpose' }) conflict(): never {
    throw new ToolError('CONFLICT', 'the note changed', {
      hint: 'read it again',
      data: { expected: 'v1', actual: 'v2' },
      cause: SECRET,
    });
  }
  @Tool({ description: 'Fails on purpose, without more to say' }) async missing(): Promise<never> {
    throw new ToolError('NOT_FOUND', 'there is no such note');
  }
  @Tool({ description: 'Breaks' }) async broken(): Promise<never> {
    throw SECRET;
  }
  @Tool({ description: 'Breaks with a value' }) value(): never {
    // oxlint-disable-next-line typescript/only-throw-error -- what other people's code may do
    throw 'hunter2';
  }
  @Tool({ description: 'Returns what has no JSON' }) unspeakable(): unknown {
    return () => 'called without a listener';
  }
  @Resource({ uri: 'notes://conflict' }) conflicting(): never {
    throw new ToolError('CONFLICT', 'the note changed', { hint: 'read it again', data: { expected: 'v1' } });
  }
  @Resource({ uri: 'notes://broken' }) brokenResource(): never {
    throw SECRET;
  }
  @Resource({ uriTemplate: 'notes://text/{path}' }) text({ path }: Path): never {
    throw new ToolError(path, 'nothing to show');
  }
  @Resource({ uri: 'notes://protocol' }) protocolError(): never {
    throw new ProtocolError(-32_099, 'of the protocol');
  }
  @Prompt({}) conflicted(): never {
    throw new ToolError('CONFLICT', 'the note changed', { data: { expected: 'v1' } });
  }
  @Prompt({}) async brokenPrompt(): Promise<never> {
    throw SECRET;
  }
  @Resource({ uri: 'notes://empty' }) emptyResource(): void {}

  @Prompt({}) wordless(): number {
    return 5;
  }
}

class Renamed extends Notes {
  override broken(): Promise<never> {
    return super.broken();
  }
}

describe.each(ERAS)('a tool that throws a ToolError, in the %s era,', (era) => {
  it('returns code, message and hint as text, and the other facts in _meta', async () => {
    const onError = errorListener();
    await using session = await connect(new Notes(), { era, onError });
    const result = await session.client.callTool({ name: 'conflict' });
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'CONFLICT: the note changed\nread it again' }],
      _meta: { error: { code: 'CONFLICT', data: { expected: 'v1', actual: 'v2' } } },
    });
    expect(result).not.toHaveProperty('structuredContent');
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(onError).not.toHaveBeenCalled();
  });

  it('returns only the code in _meta if the error has no data', async () => {
    await using session = await connect(new Notes(), { era });
    const { _meta } = await session.client.callTool({ name: 'missing' });
    expect(_meta?.['error']).toStrictEqual({ code: 'NOT_FOUND' });
  });
});

describe.each(ERAS)('a tool that throws any other value, in the %s era,', (era) => {
  it.each<[string, unknown]>([
    ['broken', SECRET],
    ['value', 'hunter2'],
  ])('returns an internal error, and the original error is reported to onError: %s', async (name, thrown) => {
    const onError = errorListener();
    await using session = await connect(new Notes(), { era, onError });
    const result = await session.client.callTool({ name });
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: `INTERNAL: ${name} failed because of an internal error` }],
    });
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(onError.mock.calls).toEqual([[thrown, `Notes.${name}`]]);
  });

  it('is treated like a tool that returns a value that JSON cannot represent', async () => {
    const onError = errorListener();
    await using session = await connect(new Notes(), { era, onError });
    expect(await session.fails('unspeakable')).toBe('INTERNAL: unspeakable failed because of an internal error');
    expect(onError.mock.calls).toEqual([[new TypeError('the method returned neither content nor JSON'), 'Notes.unspeakable']]);
  });

  it('is reported to onError with the class that declares the tool', async () => {
    const onError = errorListener();
    await using session = await connect(new Renamed(), { era, onError });
    await session.fails('broken');
    expect(onError.mock.calls).toEqual([[SECRET, 'Notes.broken']]);
  });

  it('works without onError', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await session.fails('broken')).not.toContain('hunter2');
  });
});

describe.each(ERAS)('a resource that throws, in the %s era,', (era) => {
  it('results in an invalid params error with code and hint if the value is a ToolError', async () => {
    await using session = await connect(new Notes(), { era });
    await expect(session.client.readResource({ uri: 'notes://conflict' })).rejects.toMatchObject({
      code: ProtocolErrorCode.InvalidParams,
      message: expect.stringContaining('CONFLICT: the note changed\nread it again'),
      data: { code: 'CONFLICT', expected: 'v1' },
    });
  });

  it.each(['NOT_FOUND', 'PATH_OUTSIDE_ROOTS'])('results in a missing resource if the code is %s', async (code) => {
    const onError = errorListener();
    await using session = await connect(new Notes(), { era, onError });
    const failure: unknown = await session.client.readResource({ uri: `notes://text/${code}` }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ResourceNotFoundError);
    expect(failure).toMatchObject({ message: expect.stringContaining(`${code}: nothing to show`) });
    expect(onError).not.toHaveBeenCalled();
  });

  it('results in an internal error for any other value, and the original error is reported to onError', async () => {
    const onError = errorListener();
    await using session = await connect(new Notes(), { era, onError });
    const failure: unknown = await session.client.readResource({ uri: 'notes://broken' }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: ProtocolErrorCode.InternalError,
      message: expect.stringContaining('INTERNAL: broken_resource failed because of an internal error'),
    });
    expect(String(failure)).not.toContain('hunter2');
    expect(onError.mock.calls).toEqual([[SECRET, 'Notes.brokenResource']]);
  });
});

describe.each(ERAS)('a ProtocolError that a resource throws, in the %s era,', (era) => {
  it('is sent unchanged', async () => {
    const onError = errorListener();
    await using session = await connect(new Notes(), { era, onError });
    const request = session.client.readResource({ uri: 'notes://protocol' });
    await expect(request).rejects.toMatchObject({ code: -32_099, message: expect.stringContaining('of the protocol') });
    expect(onError).not.toHaveBeenCalled();
  });
});

describe.each(ERAS)('a prompt that throws, in the %s era,', (era) => {
  it('results in an invalid params error with the code if the value is a ToolError', async () => {
    await using session = await connect(new Notes(), { era });
    await expect(session.client.getPrompt({ name: 'conflicted' })).rejects.toMatchObject({
      code: ProtocolErrorCode.InvalidParams,
      message: expect.stringContaining('CONFLICT: the note changed'),
      data: { code: 'CONFLICT', expected: 'v1' },
    });
  });

  it('results in an internal error for any other value, and the original error is reported to onError', async () => {
    const onError = errorListener();
    await using session = await connect(new Notes(), { era, onError });
    const failure: unknown = await session.client.getPrompt({ name: 'broken_prompt' }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: ProtocolErrorCode.InternalError });
    expect(String(failure)).not.toContain('hunter2');
    expect(onError.mock.calls).toEqual([[SECRET, 'Notes.brokenPrompt']]);
  });

  it('has the same internal error as a resource that returns nothing', async () => {
    const onError = errorListener();
    await using session = await connect(new Notes(), { era, onError });
    const read = session.client.readResource({ uri: 'notes://empty' });
    await expect(read).rejects.toMatchObject({ code: ProtocolErrorCode.InternalError });
    expect(onError.mock.calls).toEqual([[new TypeError('the method returned neither content nor JSON'), 'Notes.emptyResource']]);
  });

  it('has the same internal error as a prompt that returns neither a string nor messages', async () => {
    const onError = errorListener();
    await using session = await connect(new Notes(), { era, onError });
    await expect(session.client.getPrompt({ name: 'wordless' })).rejects.toMatchObject({ code: ProtocolErrorCode.InternalError });
    expect(onError.mock.calls).toEqual([
      [new TypeError('Notes.wordless returned neither a string nor messages'), 'Notes.wordless'],
    ]);
  });
});
