import { McpServer, RequestContext, Tool } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { Wire } from '../../support/wire.ts';
import { AskingServer, Consent } from './asking-server.ts';
import { call, INVALID_STATE, KEY, REMOVE, roundOf, USED, YES } from './rounds.ts';

describe('an approval', () => {
  it.each<[attack: string, replay: (answered: Record<string, unknown>) => object]>([
    ['sent again as it was', (answered) => answered],
    ['sent again without the answers', ({ inputResponses: _, ...answered }) => answered],
    ['sent again with other answers', (answered) => ({ ...answered, inputResponses: { consent: { action: 'decline' } } })],
  ])('has one effect if it is %s', async (_, replay) => {
    const server = new AskingServer();
    await using wire = await Wire.to(server);
    const { requestState } = roundOf(await call(wire, REMOVE));
    const answered = { ...REMOVE, requestState, inputResponses: YES };
    expect(await call(wire, answered)).toMatchObject({ result: { content: [{ text: 'removed' }] } });
    expect(await call(wire, { ...REMOVE, ...replay(answered) })).toMatchObject(USED);
    expect(server.state().effects).toEqual(['removed a.md']);
  });

  it('has one effect if it is sent many times at once', async () => {
    const server = new AskingServer();
    await using wire = await Wire.to(server);
    const { requestState } = roundOf(await call(wire, REMOVE));
    await Promise.all(Array.from({ length: 20 }, () => call(wire, { ...REMOVE, requestState, inputResponses: YES })));
    expect(server.state().effects).toEqual(['removed a.md']);
  });

  it('is rejected after the user declined the same question', async () => {
    const server = new AskingServer();
    await using wire = await Wire.to(server);
    const { requestState } = roundOf(await call(wire, REMOVE));
    await call(wire, { ...REMOVE, requestState, inputResponses: { consent: { action: 'decline' } } });
    expect(await call(wire, { ...REMOVE, requestState, inputResponses: YES })).toMatchObject(USED);
    expect(server.state().effects).toEqual([]);
  });

  it('has no effect without a request for approval', async () => {
    const server = new AskingServer();
    await using wire = await Wire.to(server);
    expect(Object.keys(roundOf(await call(wire, { ...REMOVE, inputResponses: YES })).inputRequests)).toEqual(['consent']);
    expect(server.state().effects).toEqual([]);
  });

  it('has no effect on a later question in the call', async () => {
    const server = new AskingServer();
    await using wire = await Wire.to(server);
    const { requestState } = roundOf(await call(wire, { name: 'two_steps' }));
    const early = { name: { action: 'accept', content: { name: 'Ada' } }, colour: { action: 'accept', content: {} } };
    const second = roundOf(await call(wire, { name: 'two_steps', requestState, inputResponses: early }));
    expect(Object.keys(second.inputRequests)).toEqual(['colour']);
    expect(server.state().effects).toEqual([]);
  });

  it('has no effect if the text of the question has changed', async () => {
    @McpServer({ name: 'growing', version: '1.0.0' })
    class Growing {
      files = 1;
      removed = 0;

      @Tool({ description: 'Remove all files' })
      async removeAll(context: RequestContext): Promise<string> {
        const consent = await context.elicit('consent', `Remove ${this.files} files?`, Consent);
        if (consent.action === 'accept') this.removed += this.files;
        return 'done';
      }
    }
    const server = new Growing();
    await using wire = await Wire.to(server);
    let { requestState } = roundOf(await call(wire, { name: 'remove_all' }));
    server.files = 1000;
    const again = roundOf(await call(wire, { name: 'remove_all', requestState, inputResponses: YES }));
    expect(again.inputRequests).toMatchObject({
      consent: { params: { message: 'Remove 1000 files?\nThe question changed after it was answered.' } },
    });
    expect(server.removed).toBe(0);
    ({ requestState } = again);
    await call(wire, { name: 'remove_all', requestState, inputResponses: YES });
    expect(server.removed).toBe(1000);
  });
});

describe.each(ERAS)('an answer from the model, in the %s era,', (era) => {
  it('is accepted if the prompt has changed when the method runs again', async () => {
    @McpServer({ name: 'sampling', version: '1.0.0' })
    class Sampling {
      runs = 0;

      @Tool({ description: 'Ask the model' })
      async summary(context: RequestContext): Promise<string> {
        this.runs += 1;
        const content = { type: 'text' as const, text: `Run ${this.runs}` };
        const answer = await context.sample('summary', { messages: [{ role: 'user', content }], maxTokens: 10 });
        return JSON.stringify(answer.content);
      }
    }
    const server = new Sampling();
    await using session = await connect(server, { era, answers: { sampling: 'Hello' } });
    expect(await session.text('summary')).toContain('Hello');
    expect(server.runs).toBe(2);
  });
});

describe('the state of a call, on two servers with one key,', () => {
  @McpServer({ name: 'other', version: '1.0.0' })
  class OtherServer extends AskingServer {}

  it('is rejected by a server with another name', async () => {
    await using wire = await Wire.to(new AskingServer(), { stateKey: KEY });
    const { requestState } = roundOf(await call(wire, REMOVE));
    const server = new OtherServer();
    await using other = await Wire.to(server, { stateKey: KEY });
    expect(await call(other, { ...REMOVE, requestState, inputResponses: YES })).toMatchObject(INVALID_STATE);
    expect(server.state().effects).toEqual([]);
  });
});
