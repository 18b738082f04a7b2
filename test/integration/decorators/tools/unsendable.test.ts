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

  @Tool({ description: 'Rows with a bigint' }) rows(): unknown {
    return { rows: [{ id: 1 }, { id: 2n }] };
  }

  @Tool({ description: 'A map' }) map(): unknown {
    return new Map([['a', 1]]);
  }

  @Tool({ description: 'A set in an object' }) set(): unknown {
    return { tags: new Set(['a']), empty: {} };
  }

  @Tool({ description: 'A promise that is not awaited' }) promise(): unknown {
    return { note: Promise.resolve('a'), at: new Date(0) };
  }

  @Tool({ description: 'Structure with a map' }) nested(): Result {
    return Result.of({ notes: [{ words: new Map() }] }, 'text');
  }

  @Tool({ description: 'Empty objects' }) empty(): unknown {
    return { notes: [{}, {}], text: '{}', at: new Date(0) };
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

  it.each([
    ['result', 'a bigint at "structuredContent.count", which JSON cannot represent; convert it to a number or a string'],
    ['rows', 'a bigint at "rows.1.id", which JSON cannot represent; convert it to a number or a string'],
    ['map', 'a Map, which JSON cannot represent; convert it by Object.fromEntries()'],
    ['set', 'a Set at "tags", which JSON cannot represent; convert it to an array'],
    ['promise', 'a Promise at "note", which JSON cannot represent; await it'],
    ['nested', 'a Map at "notes.0.words", which JSON cannot represent; convert it by Object.fromEntries()'],
  ])('is reported with its path and the remedy: %s', async (tool, problem) => {
    const onError = errorListener();
    await using session = await connect(new Unsendable(), { era, onError });
    expect(await session.fails(tool)).toBe(`INTERNAL: ${tool} failed because of an internal error`);
    expect(onError.mock.calls).toEqual([[new TypeError(`the result contains ${problem}`), `Unsendable.${tool}`]]);
  });

  it('is not found in empty objects', async () => {
    await using session = await connect(new Unsendable(), { era });
    expect(JSON.parse(await session.text('empty'))).toEqual({ notes: [{}, {}], text: '{}', at: '1970-01-01T00:00:00.000Z' });
  });

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
