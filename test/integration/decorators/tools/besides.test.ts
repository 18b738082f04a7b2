import { McpServer, Resource, Tool, type InterceptedCall } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  readonly seen: string[] = [];

  @Tool({ description: 'Read a note' }) read(): string {
    return 'a note';
  }

  intercept({ name }: InterceptedCall, next: () => Promise<unknown>): unknown {
    this.seen.push(name);
    return next();
  }
}

class Clock {
  readonly #time = 'noon';

  @Tool({ description: 'Tell the time' }) tellTime(): string {
    return this.#time;
  }
  @Resource({ uri: 'clock://now' }) now(): string {
    return this.#time;
  }
}

describe.each(ERAS)('a feature that is served in addition to a server, in the %s era,', (era) => {
  it('is listed and called like a feature of the server', async () => {
    await using session = await connect(new Notes(), { era, features: [new Clock()] });
    expect(await session.toolNames()).toEqual(['read', 'tell_time']);
    expect(await session.text('tell_time')).toBe('noon');
    expect((await session.client.listResources()).resources).toMatchObject([{ uri: 'clock://now' }]);
    expect(await session.client.readResource({ uri: 'clock://now' })).toMatchObject({ contents: [{ text: 'noon' }] });
  });

  it('passes through the interceptors of the process, but not through the interceptor of the server', async () => {
    const server = new Notes();
    const seen: string[] = [];
    const interceptors = [
      ({ name }: InterceptedCall, next: () => Promise<unknown>): unknown => {
        seen.push(name);
        return next();
      },
    ];
    await using session = await connect(server, { era, features: [new Clock()], interceptors });
    await session.call('read');
    await session.call('tell_time');
    expect(seen).toEqual(['read', 'tell_time']);
    expect(server.seen).toEqual(['read']);
  });
});
