import { once } from 'node:events';
import { IncomingMessage, request, type ClientRequest } from 'node:http';
import { Socket } from 'node:net';

import { describe, expect, it } from 'vitest';

import { BodyReader } from '../../src/http-messages/body-reader.ts';
import { HttpError } from '../../src/http-messages/http-error.ts';
import { answering, bodyOf } from '../http/answering.ts';

const TYPE = { 'content-type': 'application/json' };

/** Resolves to the parsed body that `send` sends, or to the status and message of the error. */
async function readAs(
  send: (asked: ClientRequest) => unknown,
  { maxBody = 1000, headers = TYPE }: { maxBody?: number; headers?: object } = {},
): Promise<unknown> {
  let settle: (outcome: unknown) => void = () => undefined;
  const outcome = new Promise((resolve) => {
    settle = resolve;
  });
  await using server = await answering(async (asked, response) => {
    const read = await new BodyReader({ maxBody }).readJson(asked).catch((error: unknown) => error);
    settle(read instanceof HttpError ? `${read.status} ${read.message}` : read);
    response.end();
  });
  const asked = request({ port: server.port, method: 'POST', headers: { ...headers }, agent: false });
  asked.on('error', () => undefined);
  await send(asked);
  return await outcome;
}

describe('a JSON body', () => {
  it.each([
    ['{"a":[1,"ä",null]}', { a: [1, 'ä', null] }],
    ['7', 7],
    ['  null\n', null],
    ['"𝄞"', '𝄞'],
  ])('%j is parsed', async (body, value) => {
    expect(await readAs((asked) => asked.end(body))).toEqual(value);
  });

  it('is read from chunks that split characters', async () => {
    const bytes = Buffer.from(`"${'ä'.repeat(100)}"`);
    const drip = async (asked: ClientRequest): Promise<void> => {
      asked.setNoDelay(true);
      for (const byte of bytes) {
        asked.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      asked.end();
    };
    expect(await readAs(drip)).toBe('ä'.repeat(100));
  });

  it.each([0, 1, 16 * 1024 - 2, 16 * 1024 - 1, 100_000])(
    'is read whole: %i characters and two quotation marks',
    async (length) => {
      const text = 'x'.repeat(length);
      const limit = { maxBody: length + 2 };
      expect(await readAs((asked) => asked.end(JSON.stringify(text)), limit)).toBe(text);
      const inPieces = (asked: ClientRequest): void => {
        asked.write('"');
        asked.end(`${text}"`);
      };
      expect(await readAs(inPieces, limit)).toBe(text);
    },
  );

  it.each([
    ['by its length', 'Content-Length', '1001'],
    ['in chunks', 'Transfer-Encoding', 'chunked'],
  ])('over the limit is rejected %s', async (_, name, value) => {
    const outcome = await readAs((asked) => asked.end(' '.repeat(1001)), { headers: { ...TYPE, [name]: value } });
    expect(outcome).toBe('413 The body is larger than 1000 bytes (--max-message)');
  });

  it('is rejected if it is incomplete', async () => {
    const breakOff = async (asked: ClientRequest): Promise<void> => {
      asked.flushHeaders();
      const [socket] = await once(asked, 'socket');
      if (socket.connecting) await once(socket, 'connect');
      asked.write('{', () => asked.destroy());
    };
    expect(await readAs(breakOff)).toBe('400 The body is incomplete');
    expect(await readAs(breakOff, { headers: { ...TYPE, 'Content-Length': '10' } })).toBe('400 The body is incomplete');
  });

  it('of a client that has already disconnected is rejected', async () => {
    let settle: (outcome: unknown) => void = () => undefined;
    const outcome = new Promise((resolve) => {
      settle = resolve;
    });
    await using server = await answering(async (asked) => {
      await new Promise((resolve) => asked.once('close', resolve));
      settle(await new BodyReader({ maxBody: 1000 }).readJson(asked).catch((error: unknown) => error));
    });
    const asked = request({ port: server.port, method: 'POST', headers: { ...TYPE, 'Content-Length': '10' }, agent: false });
    asked.on('error', () => undefined).flushHeaders();
    await once(asked, 'socket');
    asked.write('{', () => asked.destroy());
    expect(await outcome).toMatchObject({ status: 400, message: 'The body is incomplete' });
  });

  it.each(['', '{', '{"a":1}}', '\uFEFF{}', "{'a':1}"])('%j is not an address', async (body) => {
    expect(await readAs((asked) => asked.end(body))).toBe('400 The body is not valid JSON');
  });
});

describe('bodies that are being read', () => {
  const LARGE = 100_000;

  /** Starts to read a request and sends the first part of its body. Returns the outcome and a function that sends the rest. */
  async function begun(reader: BodyReader, body: string, principal?: string) {
    const asked = new IncomingMessage(new Socket());
    asked.headers['content-type'] = 'application/json';
    asked.push(body);
    const outcome = reader.readJson(asked, principal).catch((error: unknown) => error);
    // When this promise resolves, the reader has received the first chunk.
    await new Promise(setImmediate);
    const rest = (text: string): Promise<unknown> => {
      asked.push(text);
      asked.push(null);
      return outcome;
    };
    return { outcome, rest };
  }

  it('share a memory limit that ignores small bodies; another body is rejected until memory is free', async () => {
    // The first 16 KiB of each body are not counted, so two bodies of `LARGE` bytes reach the limit.
    const reader = new BodyReader({ maxBody: 2 * LARGE, maxUnfinished: 2 * (LARGE - 16 * 1024) });
    const large = `"${'x'.repeat(LARGE - 1)}`;
    const [first, second, small] = [await begun(reader, large), await begun(reader, large), await begun(reader, '"small')];
    const refused = await begun(reader, large);
    expect(await refused.outcome).toMatchObject({
      status: 503,
      message: 'Too many large requests are being received; try again later',
    });
    expect(await small.rest('"')).toBe('small');
    // The first body cannot grow either, because no memory is left.
    expect(await first.rest('x"')).toMatchObject({ status: 503 });
    const third = await begun(reader, large);
    expect(await (await begun(reader, large)).outcome).toMatchObject({ status: 503 });
    for (const whole of [second, third]) whole.rest('').catch(() => undefined);
    expect(await Promise.all([second.outcome, third.outcome])).toMatchObject([{ status: 400 }, { status: 400 }]);
    expect(await (await begun(reader, `${large}"`)).rest('')).toHaveLength(LARGE - 1);
  });

  it('are rejected with 429 if one principal exceeds its share of the memory', async () => {
    const reader = new BodyReader({ maxBody: 2 * LARGE, maxUnfinished: 3 * (LARGE - 16 * 1024) });
    const large = `"${'x'.repeat(LARGE - 1)}`;
    const first = await begun(reader, large, 'bob');
    expect(await (await begun(reader, large, 'bob')).outcome).toMatchObject({
      status: 429,
      message: 'This client sends too many large requests at once; try again later',
    });
    const other = await begun(reader, large, 'ada');
    for (const whole of [first, other]) whole.rest('').catch(() => undefined);
    expect(await Promise.all([first.outcome, other.outcome])).toMatchObject([{ status: 400 }, { status: 400 }]);
  });

  it('may by default include two of the maximum size', async () => {
    const large = 70 * 1024 * 1024;
    const reader = new BodyReader({ maxBody: large });
    await using server = await answering(async (asked, response) => {
      const outcome = await reader.readJson(asked).catch((error: unknown) => error);
      response.end(String(outcome).slice(0, 40));
    });
    const answers = [0, 1].map(async () => {
      const asked = request({ port: server.port, method: 'POST', headers: TYPE, agent: false });
      const [answer] = await once(asked.end(`"${'x'.repeat(large - 2)}"`), 'response');
      return bodyOf(answer);
    });
    expect(await Promise.all(answers)).toEqual(['x'.repeat(40), 'x'.repeat(40)]);
  });
});
