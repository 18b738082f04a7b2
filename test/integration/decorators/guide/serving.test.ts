import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { compileServer, McpServer, RequestContext, serverFactory, Tool } from '@org/mcp-decorators';
import { connect, ERAS, Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { errorListener } from '../../support/recorders.ts';
import { NoteName } from './notes.ts';

@McpServer({ name: 'named', version: '1.0.0' })
class NamedServer {
  @Tool({ description: 'Read a note', input: NoteName })
  readNote({ name }: NoteName): string {
    return `text of ${name}`;
  }

  @Tool({ description: 'Return the caller', input: null })
  caller(context: RequestContext): string {
    return context.client.name;
  }
}

function handlerOf(server: object, stateKey: string, report: (error: unknown, place: string) => void) {
  // The key has at least 32 bytes and is the same in every process that serves the same clients.
  return createMcpHandler(serverFactory(server, { stateKey, onError: report }));
}

@McpServer({ name: 'erased', version: '1.0.0' })
class Erased {
  @Tool({ description: 'Read a note' }) readNote(input: NoteName | undefined): string {
    return String(input?.name);
  }
}

@McpServer({ name: 'asking', version: '1.0.0' })
class Asking {
  @Tool({ description: 'Ask', input: null }) async ask(context: RequestContext): Promise<string> {
    const answer = await context.elicit('note', 'Which note?', NoteName);
    return answer.action === 'accept' ? answer.content.name : answer.action;
  }
  @Tool({ description: 'Fail' }) fail(): never {
    throw new Error('hidden');
  }
}

const KEY = 'k'.repeat(32);

/** Connects a client whose requests are sent in turn to handlers with these keys, one for each simulated process. */
async function connectInTurn(keys: readonly string[], report: (error: unknown, place: string) => void): Promise<Session> {
  const handlers = keys.map((key) => handlerOf(new Asking(), key, report));
  let requests = 0;
  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> => {
    requests += 1;
    const handler = handlers[requests % handlers.length];
    return handler === undefined ? Promise.reject(new Error('no handler')) : handler.fetch(new Request(url, init));
  };
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch });
  return Session.open(transport, { answers: { elicitation: { name: 'today' } } }, () => Promise.resolve());
}

describe.each(ERAS)('the input classes that the guide gives as options, in the %s era,', (era) => {
  it('need no metadata from the compiler', async () => {
    await using session = await connect(new NamedServer(), { era });
    expect(await session.text('read_note', { name: 'today' })).toBe('text of today');
    expect(await session.text('caller')).toBe('@org/mcp-testing');
  });
});

describe('an input whose class is unknown at run time', () => {
  it('is a definition error that names the method and the remedies', () => {
    expect(() => compileServer(Erased)).toThrow(
      /^Erased\.readNote: the class of its first parameter is not known.*input: Dto.*value/,
    );
  });
});

describe('the HTTP handler in the guide', () => {
  it('continues a call that another process with the same key began', async () => {
    const report = errorListener();
    await using session = await connectInTurn([KEY, KEY], report);
    expect(await session.text('ask')).toBe('today');
    expect(await session.fails('fail')).toBe('INTERNAL: fail failed because of an internal error');
    expect(report).toHaveBeenCalledExactlyOnceWith(new Error('hidden'), 'Asking.fail');
  });

  it('rejects a call that a process with another key began, and rejects a key that is too short', async () => {
    await using session = await connectInTurn([KEY, 'o'.repeat(32)], errorListener());
    await expect(session.text('ask')).rejects.toThrow();
    expect(() => handlerOf(new Asking(), 'short', errorListener())).toThrow(RangeError);
  });
});
