import { once } from 'node:events';
import { IncomingMessage, request, type ClientRequest } from 'node:http';
import { Socket } from 'node:net';

import { describe, expect, it } from 'vitest';

import { BodyReader } from '../../src/http/body-reader.ts';
import { Refusal } from '../../src/http/refusal.ts';
import { answering, bodyOf } from './answering.ts';

const TYPE = { 'content-type': 'application/json' };

/** What becomes of a body that is sent by `send`. */
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
    settle(read instanceof Refusal ? `${read.status} ${read.message}` : read);
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
  ])('%j is read', async (body, value) => {
    expect(await readAs((asked) => asked.end(body))).toEqual(value);
  });

  it('is read in pieces that cut characters in two', async () => {
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

  it.each([0, 1, 16 * 1024 - 2, 16 * 1024 - 1, 100_000])('of %i characters and two is read whole', async (length) => {
    const text = 'x'.repeat(length);
    const limit = { maxBody: length + 2 };
    expect(await readAs((asked) => asked.end(JSON.stringify(text)), limit)).toBe(text);
    const inPieces = (asked: ClientRequest): void => {
      asked.write('"');
      asked.end(`${text}"`);
    };
    expect(await readAs(inPieces, limit)).toBe(text);
  });

  it.each([
    ['by its length', 'Content-Length', '1001'],
    ['in pieces', 'Transfer-Encoding', 'chunked'],
  ])('over the limit is refused %s', async (_, name, value) => {
    const outcome = await readAs((asked) => asked.end(' '.repeat(1001)), { headers: { ...TYPE, [name]: value } });
    expect(outcome).toBe('413 The body is larger than 1000 bytes (--max-message)');
  });

  it('that breaks off is refused, whether it had begun or not', async () => {
    const breakOff = async (asked: ClientRequest): Promise<void> => {
      asked.flushHeaders();
      const [socket] = await once(asked, 'socket');
      if (socket.connecting) await once(socket, 'connect');
      asked.write('{', () => asked.destroy());
    };
    expect(await readAs(breakOff)).toBe('400 The body broke off');
    expect(await readAs(breakOff, { headers: { ...TYPE, 'Content-Length': '10' } })).toBe('400 The body broke off');
  });

  it('of a client that was gone before is refused', async () => {
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
    expect(await outcome).toMatchObject({ status: 400, message: 'The body broke off' });
  });

  it.each(['', '{', '{"a":1}}', '\uFEFF{}', "{'a':1}"])('%j is none', async (body) => {
    expect(await readAs((asked) => asked.end(body))).toBe('400 The body is not JSON');
  });
});

describe('bodies that are being read', () => {
  const LARGE = 100_000;

  /** A request whose body comes as a test wants it. */
  async function begun(reader: BodyReader, body: string, principal?: string) {
    const asked = new IncomingMessage(new Socket());
    asked.headers['content-type'] = 'application/json';
    asked.push(body);
    const outcome = reader.readJson(asked, principal).catch((error: unknown) => error);
    // By then it has what came so far.
    await new Promise(setImmediate);
    const rest = (text: string): Promise<unknown> => {
      asked.push(text);
      asked.push(null);
      return outcome;
    };
    return { outcome, rest };
  }

  it('may take so much together, without what is small, and one more is refused until there is room', async () => {
    // Two of these, but for what is not counted of each.
    const reader = new BodyReader({ maxBody: 2 * LARGE, maxUnfinished: 2 * (LARGE - 16 * 1024) });
    const large = `"${'x'.repeat(LARGE - 1)}`;
    const [first, second, small] = [await begun(reader, large), await begun(reader, large), await begun(reader, '"small')];
    const refused = await begun(reader, large);
    expect(await refused.outcome).toMatchObject({
      status: 503,
      message: 'Too many large requests are coming in; try again later',
    });
    expect(await small.rest('"')).toBe('small');
    // There is no room for it to grow either.
    expect(await first.rest('x"')).toMatchObject({ status: 503 });
    const third = await begun(reader, large);
    expect(await (await begun(reader, large)).outcome).toMatchObject({ status: 503 });
    for (const whole of [second, third]) whole.rest('').catch(() => undefined);
    expect(await Promise.all([second.outcome, third.outcome])).toMatchObject([{ status: 400 }, { status: 400 }]);
    expect(await (await begun(reader, `${large}"`)).rest('')).toHaveLength(LARGE - 1);
  });

  it('of one principal are refused with 429 if they take more than is left for others', async () => {
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

  it('by default have room for two of the largest', async () => {
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
