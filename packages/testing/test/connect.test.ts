import { DefinitionError, McpServer, Tool, ToolError } from '@org/mcp-decorators';
import { serveHttp } from '@org/mcp-host';
import { describe, expect, it } from 'vitest';

import { connect, connectProcess, connectUrl, ERAS, REVISIONS } from '../src/index.ts';

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  readonly events: string[] = [];

  async open(): Promise<void> {
    this.events.push('opened');
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.events.push('disposed');
  }
  @Tool({ description: 'Answers' }) answer(): string {
    this.events.push('called');
    return 'here';
  }
  @Tool({ description: 'Several blocks' }) blocks(): object {
    return {
      content: [
        { type: 'text', text: 'one' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
    };
  }
  @Tool({ description: 'Fails on purpose' }) fail(): never {
    throw new ToolError('NOT_FOUND', 'there is no such note');
  }
}

describe.each(ERAS)('a session in the %s era', (era) => {
  it('opens the server once, before it is called, and disposes of it at its end', async () => {
    const server = new Notes();
    {
      await using session = await connect(server, { era });
      await session.call('answer');
      await session.call('answer');
    }
    expect(server.events).toEqual(['opened', 'called', 'called', 'disposed']);
  });

  it('returns the result of a call that must succeed, and throws the error text if the call fails', async () => {
    await using session = await connect(new Notes(), { era });
    expect((await session.call('answer')).content).toEqual([{ type: 'text', text: 'here' }]);
    await expect(session.call('fail')).rejects.toThrow('fail failed: NOT_FOUND: there is no such note');
    await expect(session.text('fail')).rejects.toThrow('fail failed: NOT_FOUND: there is no such note');
  });

  it('returns the error of a call that must fail, and throws the result text if the call succeeds', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await session.fails('fail')).toBe('NOT_FOUND: there is no such note');
    await expect(session.fails('answer')).rejects.toThrow('answer did not fail: here');
  });

  it('formats the blocks of a result line by line, with the type in place of content that is not text', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await session.text('blocks')).toBe('one\n[image]');
  });

  it('lists the names of the tools in the order of the server', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await session.toolNames()).toEqual(['answer', 'blocks', 'fail']);
  });

  it('is pinned to the revision of its era', async () => {
    await using session = await connect(new Notes(), { era });
    expect(session.client.getNegotiatedProtocolVersion()).toBe(REVISIONS[era]);
  });
});

describe('a session', () => {
  it('is of the modern era by default', async () => {
    await using session = await connect(new Notes());
    expect(session.client.getNegotiatedProtocolVersion()).toBe(REVISIONS.modern);
  });

  it('can use a server object without open()', async () => {
    @McpServer({ name: 'plain', version: '1.0.0' })
    class Plain {
      @Tool({ description: 'Answers' }) answer(): string {
        return 'here';
      }
    }
    await using session = await connect(new Plain());
    expect(await session.text('answer')).toBe('here');
  });

  it('is rejected for an invalid class, whose object is not opened', async () => {
    class Broken extends Notes {
      @Tool({}) wordless(): void {}
    }
    const server = new Broken();
    await expect(connect(server)).rejects.toSatisfy(DefinitionError.is);
    expect(server.events).toEqual([]);
  });

  it('is rejected for an object that is not an instance of a class', async () => {
    await expect(connect(Object.create(null))).rejects.toThrow('a server must be a class or an instance of a class');
  });

  it('is rejected if opening the server fails', async () => {
    class Closed extends Notes {
      override open(): Promise<void> {
        return Promise.reject(new Error('no such directory'));
      }
    }
    await expect(connect(new Closed())).rejects.toThrow('no such directory');
  });

  it('can use a running service, and leaves the service running', async () => {
    const server = new Notes();
    const service = await serveHttp({ '/mcp': server });
    for (const token of [undefined, 'not needed']) {
      await using session = await connectUrl(`${service.url}/mcp`, { ...(token !== undefined && { token }) });
      expect(await session.text('answer')).toBe('here');
    }
    await service.close();
    expect(server.events).toEqual(['called', 'called']);
  });

  it('is rejected if the process ends immediately', async () => {
    await expect(connectProcess({ command: process.execPath, args: ['-e', ''] })).rejects.toThrow();
  });
});
