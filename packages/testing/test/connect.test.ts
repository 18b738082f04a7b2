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

describe.each(ERAS)('a session of the %s era', (era) => {
  it('opens the server once, before it is called, and disposes of it at its end', async () => {
    const server = new Notes();
    {
      await using session = await connect(server, { era });
      await session.call('answer');
      await session.call('answer');
    }
    expect(server.events).toEqual(['opened', 'called', 'called', 'disposed']);
  });

  it('calls tools that have to succeed, and throws the text of one that fails', async () => {
    await using session = await connect(new Notes(), { era });
    expect((await session.call('answer')).content).toEqual([{ type: 'text', text: 'here' }]);
    await expect(session.call('fail')).rejects.toThrow('fail failed: NOT_FOUND: there is no such note');
    await expect(session.text('fail')).rejects.toThrow('fail failed: NOT_FOUND: there is no such note');
  });

  it('calls tools that have to fail, and throws the text of one that succeeds', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await session.fails('fail')).toBe('NOT_FOUND: there is no such note');
    await expect(session.fails('answer')).rejects.toThrow('answer did not fail: here');
  });

  it('shows the blocks of a result line by line, those that are no text by their type', async () => {
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

  it('is joined to a server that has nothing to open', async () => {
    @McpServer({ name: 'plain', version: '1.0.0' })
    class Plain {
      @Tool({ description: 'Answers' }) answer(): string {
        return 'here';
      }
    }
    await using session = await connect(new Plain());
    expect(await session.text('answer')).toBe('here');
  });

  it('does not begin with a class that is not usable, which is not opened either', async () => {
    class Broken extends Notes {
      @Tool({}) wordless(): void {}
    }
    const server = new Broken();
    await expect(connect(server)).rejects.toSatisfy(DefinitionError.is);
    expect(server.events).toEqual([]);
  });

  it('does not begin with an object that is no instance of a class', async () => {
    await expect(connect(Object.create(null))).rejects.toThrow('a server is an instance of a class');
  });

  it('does not begin with a server that cannot be opened', async () => {
    class Closed extends Notes {
      override open(): Promise<void> {
        return Promise.reject(new Error('no such directory'));
      }
    }
    await expect(connect(new Closed())).rejects.toThrow('no such directory');
  });

  it('is joined to a service that runs already, and leaves it running', async () => {
    const server = new Notes();
    const service = await serveHttp({ '/mcp': server });
    for (const token of [undefined, 'nobody asks for it']) {
      await using session = await connectUrl(`${service.url}/mcp`, { ...(token !== undefined && { token }) });
      expect(await session.text('answer')).toBe('here');
    }
    await service.close();
    expect(server.events).toEqual(['called', 'called']);
  });

  it('does not begin with a process that ends at once', async () => {
    await expect(connectProcess({ command: process.execPath, args: ['-e', ''] })).rejects.toThrow();
  });
});
