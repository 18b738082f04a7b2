import { Field, McpServer, RequestContext, Tool } from '@org/mcp-decorators';
import { connect, ERAS, type PageRequest } from '@org/mcp-testing';
import { IsBoolean } from 'class-validator';
import { describe, expect, it, vi } from 'vitest';

import { deferred } from '../../support/recorders.ts';
import { NoteName } from './notes.ts';

class Consent {
  @Field('Delete it for good') @IsBoolean() really = false;
}

@McpServer({ name: 'asking', version: '1.0.0' })
class AskingServer {
  readonly notes = new Map([['today', 'water the plants']]);
  runs = 0;

  @Tool({ description: 'Delete a note, if the user agrees', annotations: { destructiveHint: true } })
  async deleteNote({ name }: NoteName, context: RequestContext): Promise<string> {
    this.runs += 1; // runs again with each answer
    const consent = await context.elicit('consent', `Delete ${name}?`, Consent);
    if (consent.action !== 'accept' || !consent.content.really) return `kept: ${consent.action}`;
    this.notes.delete(name); // after the last question, so the note is deleted only once
    return 'deleted';
  }
}

@McpServer({ name: 'connecting', version: '1.0.0' })
class ConnectingServer {
  readonly entered = new Map<string, Promise<void>>(); // by the id of the question; the code of the page resolves each promise

  @Tool({ description: 'Connect to the weather service' })
  async connectWeather(context: RequestContext): Promise<string> {
    const page = (id: string): string => `https://notes.example/connect?question=${id}`; // the page must have its own login
    const asked = await context.elicitUrl('key', 'Enter your API key on this page.', page);
    if (asked.action !== 'accept') return 'not connected';
    await this.entered.get(asked.elicitationId); // until the user is done
    await asked.complete();
    return 'connected';
  }
}

class NamingServer extends AskingServer {
  @Tool({ description: 'Name a note' })
  async suggestName(context: RequestContext): Promise<string> {
    const asked = { role: 'user' as const, content: { type: 'text' as const, text: 'Name a note about plants' } };
    const naming = context.sample('name', { messages: [asked], maxTokens: 20 });
    const [{ content }, roots] = await Promise.all([naming, context.roots()]); // requests both at once
    return `${content.type === 'text' ? content.text : 'unnamed'}, in one of ${roots?.length ?? 'no'} roots`;
  }
}

describe.each(ERAS)('the questions in the guide, in the %s era,', (era) => {
  it('let the method finish when it runs again, with its side effects once', async () => {
    const server = new AskingServer();
    await using session = await connect(server, { era, answers: { elicitation: { really: true } } });
    expect(await session.text('delete_note', { name: 'today' })).toBe('deleted');
    expect([server.runs, server.notes.size]).toEqual([2, 0]);
  });

  it.each(['decline', 'cancel'] as const)('may be answered by %s', async (answer) => {
    const server = new AskingServer();
    await using session = await connect(server, { era, answers: { elicitation: answer } });
    expect(await session.text('delete_note', { name: 'today' })).toBe(`kept: ${answer}`);
    expect(server.notes.size).toBe(1);
  });

  it('also request input from the model, and the roots of the client', async () => {
    const roots = (): { uri: string }[] => [{ uri: 'file:///notes' }];
    await using session = await connect(new NamingServer(), { era, roots, answers: { sampling: 'Plants' } });
    expect(await session.text('suggest_name')).toBe('Plants, in one of 1 roots');
  });
});

describe.each(ERAS)('a request to open a page in the guide, in the %s era,', (era) => {
  it('lets the method finish once the user is done, and notifies a session', async () => {
    const server = new ConnectingServer();
    const done = deferred();
    const opened: string[] = [];
    const page = ({ url, elicitationId }: PageRequest): 'accept' => {
      const question = new URL(url).searchParams.get('question') ?? '';
      expect(elicitationId).toBe(era === 'legacy' ? question : undefined);
      server.entered.set(question, done.promise);
      opened.push(question);
      return 'accept';
    };
    await using session = await connect(server, { era, answers: { page } });
    const completed: unknown[] = [];
    session.client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => void completed.push(params));
    const connecting = session.text('connect_weather');
    await vi.waitUntil(() => opened.length === 1, { interval: 1 });
    done.resolve();
    expect(await connecting).toBe('connected');
    expect(opened).toHaveLength(1);
    expect(completed).toEqual(era === 'legacy' ? [{ elicitationId: opened[0] }] : []);
  });

  it.each(['decline', 'cancel'] as const)('may be answered by %s', async (page) => {
    await using session = await connect(new ConnectingServer(), { era, answers: { page } });
    expect(await session.text('connect_weather')).toBe('not connected');
  });
});
