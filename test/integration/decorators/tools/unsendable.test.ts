import { McpServer, Prompt, Resource, Result, Tool, ToolError } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { errorListener } from '../../support/recorders.ts';

function circle(): Record<string, unknown> {
  const circle: Record<string, unknown> = {};
  circle['itself'] = circle;
  return circle;
}

@McpServer({ name: 'unsendable', version: '1.0.0' })
class Unsendable {
  @Tool({ description: 'A function' }) method(): unknown {
    return () => 1;
  }

  @Tool({ description: 'A symbol' }) symbol(): unknown {
    return Symbol('secret');
  }

  @Tool({ description: 'A result with a bigint' }) result(): unknown {
    return { content: [], structuredContent: { count: 1n } };
  }

  @Tool({ description: 'A block that contains itself' }) block(): unknown {
    return { type: 'text', text: '', _meta: circle() };
  }

  @Tool({ description: 'Structure with a bigint' }) structure(): Result {
    return Result.of({ count: 1n }, 'text');
  }

  @Tool({ description: 'An error with a bigint' }) failure(): never {
    throw new ToolError('CONFLICT', 'it changed', { data: { count: 1n } });
  }

  @Prompt({ description: 'Messages with a bigint' }) prompt(): unknown {
    return { messages: [], _meta: { count: 1n } };
  }

  @Resource({ uri: 'unsendable://x' }) resource(): unknown {
    return { contents: [], _meta: circle() };
  }
}

describe.each(ERAS)('a value that JSON cannot represent, in the %s era,', (era) => {
  it.each(['method', 'symbol', 'result', 'block', 'structure'])(
    'results in an internal error if a tool returns the value: %s',
    async (tool) => {
      const onError = errorListener();
      await using session = await connect(new Unsendable(), { era, onError });
      expect(await session.fails(tool)).toBe(`INTERNAL: ${tool} failed because of an internal error`);
      expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(TypeError), `Unsendable.${tool}`);
    },
  );

  it('is omitted from the data of a ToolError', async () => {
    const onError = errorListener();
    await using session = await connect(new Unsendable(), { era, onError });
    const { content, _meta } = await session.client.callTool({ name: 'failure' });
    expect(content).toMatchObject([{ text: 'CONFLICT: it changed' }]);
    expect(_meta?.['error']).toEqual({ code: 'CONFLICT' });
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(TypeError), 'Unsendable.failure');
  });

  it('results in an internal error of prompts and resources', async () => {
    await using session = await connect(new Unsendable(), { era, onError: errorListener() });
    const internal = { code: -32_603, data: { code: 'INTERNAL' } };
    await expect(session.client.getPrompt({ name: 'prompt' })).rejects.toMatchObject(internal);
    await expect(session.client.readResource({ uri: 'unsendable://x' })).rejects.toMatchObject(internal);
  });
});
