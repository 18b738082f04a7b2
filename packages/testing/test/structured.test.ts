import { McpServer, Result, Tool } from '@org/mcp-decorators';
import { IsInt } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { connect, ERAS } from '../src/index.ts';

class Stats {
  @IsInt() words!: number;
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Tool({ description: 'Count the words', output: Stats })
  count(): Stats {
    return { words: 3 };
  }

  @Tool({ description: 'Tell of the words', output: Stats })
  tell(): Result {
    return Result.of({ words: 3 }, 'three words');
  }
}

describe.each(ERAS)('a server without structured content, in the %s era,', (era) => {
  it('promises none and sends none, and its texts say it all', async () => {
    await using session = await connect(new Notes(), { era, structured: 'never' });
    const { tools } = await session.client.listTools();
    expect(tools.map(({ outputSchema }) => outputSchema)).toEqual([undefined, undefined]);
    const results = [await session.call('count'), await session.call('tell')];
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual([undefined, undefined]);
    expect(results.map(({ content }) => content)).toMatchObject([[{ text: '{"words":3}' }], [{ text: 'three words' }]]);
  });

  it('is not the usual one', async () => {
    await using session = await connect(new Notes(), { era });
    expect((await session.call('tell')).structuredContent).toEqual({ words: 3 });
  });
});
