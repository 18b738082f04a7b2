import {
  Feature,
  McpServer,
  Prompt,
  RequestContext,
  Resource,
  Suspension,
  Tool,
  ToolError,
  type InterceptedCall,
} from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { errorListener } from '../../support/recorders.ts';

class Note {
  @IsString() path!: string;
}

class Search {
  readonly heard: string[] = [];

  @Tool({ description: 'Find a note' })
  find({ path }: Note): string {
    return `found ${path}`;
  }

  async intercept({ name }: InterceptedCall, next: () => Promise<unknown>): Promise<unknown> {
    this.heard.push(name);
    return `<${String(await next())}>`;
  }
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  readonly audit: string[] = [];
  @Feature() readonly search: Search = new Search();

  @Tool({ description: 'Read a note' })
  read({ path }: Note): string {
    if (path === 'none') throw new ToolError('NOT_FOUND', 'there is no such note');
    return `text of ${path}`;
  }

  @Tool({ description: 'Ask for a note' })
  async ask(context: RequestContext): Promise<string> {
    const answer = await context.elicit('note', 'Which?', Note);
    return answer.action === 'accept' ? answer.content.path : answer.action;
  }

  @Resource({ uri: 'notes://index' }) index(): string {
    return 'index';
  }
  @Prompt({ description: 'Review a note' }) review({ path }: Note): string {
    return `Review ${path}`;
  }

  async intercept({ kind, name, input, context }: InterceptedCall, next: () => Promise<unknown>): Promise<unknown> {
    const path = input instanceof Note ? input.path : '-';
    try {
      const result = await next();
      this.audit.push(`${kind} ${name} ${path} by ${context.client.name}: done`);
      return result;
    } catch (error) {
      const end = ToolError.is(error) ? error.code : Suspension.is(error) ? 'waits' : 'failed';
      this.audit.push(`${kind} ${name} ${path} by ${context.client.name}: ${end}`);
      throw error;
    }
  }
}

class StrictNotes extends Notes {
  override async intercept(call: InterceptedCall, next: () => Promise<unknown>): Promise<unknown> {
    if (call.name === 'read') throw new ToolError('FORBIDDEN', 'not by this server');
    return next();
  }
}

class CountingNotes extends StrictNotes {
  override async intercept({ name }: InterceptedCall, next: () => Promise<unknown>): Promise<unknown> {
    this.audit.push(`${name} begins`);
    return await next();
  }
}

describe.each(ERAS)('an interceptor, in the %s era,', (era) => {
  it('wraps tools, resources and prompts, with their input and their caller', async () => {
    const server = new Notes();
    await using session = await connect(server, { era });
    await session.call('read', { path: 'a.md' });
    await session.client.readResource({ uri: 'notes://index' });
    await session.client.getPrompt({ name: 'review', arguments: { path: 'b.md' } });
    expect(server.audit).toEqual([
      'tool read a.md by @org/mcp-testing: done',
      'resource index - by @org/mcp-testing: done',
      'prompt review b.md by @org/mcp-testing: done',
    ]);
  });

  it('receives failures, and the suspension of calls that wait for input', async () => {
    const server = new Notes();
    await using session = await connect(server, { era, answers: { elicitation: { path: 'c.md' } } });
    await session.fails('read', { path: 'none' });
    expect(await session.text('ask')).toBe('c.md');
    expect(server.audit.map((line) => line.split(': ')[1])).toEqual(['NOT_FOUND', 'waits', 'done']);
  });

  it('does not receive calls that were rejected before the method', async () => {
    const server = new Notes();
    await using session = await connect(server, { era });
    await session.fails('read', { path: 1 });
    expect(server.audit).toEqual([]);
  });

  it('of a feature wraps the methods of the feature, inside the interceptor of its server', async () => {
    const server = new Notes();
    await using session = await connect(server, { era });
    expect(await session.text('find', { path: 'a.md' })).toBe('<found a.md>');
    await session.call('read', { path: 'a.md' });
    expect(server.search.heard).toEqual(['find']);
    expect(server.audit).toHaveLength(2);
  });

  it('of a subclass runs around the interceptors of its base classes, each once, and may reject a call before them', async () => {
    const server = new CountingNotes();
    await using session = await connect(server, { era });
    expect(await session.fails('read', { path: 'a.md' })).toBe('FORBIDDEN: not by this server');
    await session.call('find', { path: 'a.md' });
    expect(server.audit).toEqual(['read begins', 'find begins', 'tool find a.md by @org/mcp-testing: done']);
  });

  it('of an object runs around the interceptors of its class', async () => {
    const server = new Notes();
    const intercept = (_: InterceptedCall, next: () => Promise<unknown>): Promise<unknown> => {
      server.audit.push('the object');
      return next();
    };
    await using session = await connect(Object.assign(server, { intercept }), { era });
    await session.call('read', { path: 'a.md' });
    expect(server.audit).toEqual(['the object', 'tool read a.md by @org/mcp-testing: done']);
  });

  it('of the host wraps all others, in the order of the list', async () => {
    const heard: string[] = [];
    const named = (label: string) => async (_: InterceptedCall, next: () => Promise<unknown>) => {
      heard.push(`${label} in`);
      const result = await next();
      heard.push(`${label} out`);
      return result;
    };
    await using session = await connect(new Notes(), { era, interceptors: [named('one'), named('two')] });
    await session.call('read', { path: 'a.md' });
    expect(heard).toEqual(['one in', 'two in', 'two out', 'one out']);
  });

  it('that throws is reported and hidden like an error of the method itself', async () => {
    const onError = errorListener();
    const broken = (): never => {
      throw new Error('no audit log');
    };
    await using session = await connect(new Notes(), { era, onError, interceptors: [broken] });
    expect(await session.fails('read', { path: 'a.md' })).toBe('INTERNAL: read failed because of an internal error');
    expect(onError).toHaveBeenCalledWith(new Error('no audit log'), 'Notes.read');
  });
});
