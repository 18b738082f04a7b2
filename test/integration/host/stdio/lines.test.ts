import { startProgram } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { compiledProgram } from '../../support/compiled-program.ts';
import { answerTo, call, initialize, notification, openSession, request, StdioClient } from '../protocol-rules/raw-client.ts';

const MIB = 1024 * 1024;

const MALFORMED = [
  ['JSON that breaks off', '{"jsonrpc', { code: -32_700 }],
  ['words', 'hello', { code: -32_700 }],
  ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x00]), { code: -32_700 }],
  ['null', 'null', { code: -32_600 }],
  ['an answer without its result', '{"jsonrpc":"2.0","id":1,"result":null}', { code: -32_600 }],
  ['a message of another protocol', '{"id":1}', { code: -32_600, id: 1 }],
  [
    'a progress token that is an object',
    JSON.stringify(request(7, 'ping', { _meta: { progressToken: {} } })),
    { code: -32_602, id: 7 },
  ],
  ['metadata that is a number', JSON.stringify(request(7, 'ping', { _meta: 5 })), { code: -32_602, id: 7 }],
  ['params as a list', JSON.stringify(request(7, 'ping', [])), { code: -32_602, id: 7 }],
] as const;

describe('a line that is not a valid message', () => {
  it('is answered with an error, and the connection continues', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-11-25');
    for (const [name, line, { code, ...id }] of MALFORMED) {
      client.write(line);
      client.write('\n');
      const error = { code, message: expect.any(String) };
      expect(await client.received.next(), name).toEqual({ jsonrpc: '2.0', ...id, error });
      client.send(call(2, 'echo', { text: 'still here' }));
      expect(await answerTo(client, 2), name).toMatchObject({ result: { content: [{ text: 'still here' }] } });
    }
  });

  it('fails the request of the server to which it was the response', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-11-25', { elicitation: {} });
    client.send(call(1, 'ask'));
    const { id } = await client.received.next(({ method }) => method === 'elicitation/create');
    client.send({ jsonrpc: '2.0', id, result: 'accept' });
    expect(await answerTo(client, 1)).toMatchObject({ result: { isError: true, _meta: { error: { code: 'NO_ANSWER' } } } });
  });

  it('is ignored if it is empty', async () => {
    await using client = new StdioClient();
    client.write('\n\r\n \n');
    client.send(initialize(1, '2025-11-25'));
    expect(await client.received.next()).toMatchObject({ id: 1, result: {} });
  });

  it('is reported in the log without its contents', async () => {
    await using client = new StdioClient();
    client.write('the password is s3cret\n');
    const line = await client.program.stderr.next();
    expect(line).toContain('rejected an invalid message: The line is not valid JSON');
    expect(line).not.toContain('s3cret');
  });
});

describe('a line that is too long', () => {
  it('is rejected before it has ended, skipped, and the connection continues', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-11-25');
    const [head = '', tail = ''] = JSON.stringify(call(1, 'echo', { text: 'TEXT' })).split('TEXT');
    client.write(`${head}${'x'.repeat(11 * MIB)}`);
    expect(await client.received.next()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32_600, message: 'The message is larger than 10485760 bytes (--max-message)' },
    });
    client.write(`${tail}\n`);
    client.send(call(2, 'echo', { text: 'still here' }));
    expect(await client.received.next()).toMatchObject({ id: 2, result: { content: [{ text: 'still here' }] } });
  });

  it('is a line that exceeds --max-message', async () => {
    const { command, args = [] } = compiledProgram(new URL('../protocol-rules/wire-program.ts', import.meta.url));
    await using client = new StdioClient(startProgram({ command, args: [...args, '--max-message', '1kb'] }));
    client.write(`${' '.repeat(1025)}\n`);
    expect(await client.received.next()).toMatchObject({
      error: { message: 'The message is larger than 1024 bytes (--max-message)' },
    });
  });

  it('is accepted up to exactly the limit', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-11-25');
    const message = JSON.stringify(call(1, 'echo', { text: 'x' }));
    const fill = 10 * MIB - message.length;
    client.write(`${' '.repeat(fill)}${message}\n`);
    expect(await client.received.next()).toMatchObject({ id: 1, result: { content: [{ text: 'x' }] } });
  });
});

describe('a message', () => {
  it('may begin with a byte order mark and end with a carriage return', async () => {
    await using client = new StdioClient();
    client.write(`\uFEFF${JSON.stringify(initialize(1, '2025-11-25'))}\r\n${JSON.stringify(request(2, 'ping'))}\r\n`);
    expect(await answerTo(client, 1)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    expect(await answerTo(client, 2)).toMatchObject({ result: {} });
  });

  it('may arrive in chunks that split its characters', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-11-25');
    const text = 'grüße, 世界 😀';
    const bytes = Buffer.from(`${JSON.stringify(call(1, 'echo', { text }))}\n`);
    for (const byte of bytes) client.write(Buffer.from([byte]));
    expect(await answerTo(client, 1)).toMatchObject({ result: { content: [{ text }] } });
  });

  it('may be nested as deeply as a line allows', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-11-25');
    const depth = 100_000;
    client.write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"deep":${'['.repeat(depth)}${']'.repeat(depth)}}}\n`);
    client.send(request(2, 'ping'));
    expect(await answerTo(client, 2)).toMatchObject({ result: {} });
    expect(client.received.all.filter(({ id }) => id === 1)).toHaveLength(1);
  });

  it('is served without a line break if it is the last one', async () => {
    await using client = new StdioClient();
    client.write(JSON.stringify(initialize(1, '2025-11-25')));
    client.program.stdin.end();
    expect(await answerTo(client, 1)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    expect(await client.program.ended).toMatchObject({ code: 0 });
  });
});

describe('an array of messages', () => {
  it('is answered with one array on 2025-03-26', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-03-26');
    client.send([
      call(1, 'hold'),
      notification('notifications/unheard'),
      call(2, 'echo', { text: 'two' }),
      { jsonrpc: '2.0', id: 3 },
      call(4, 'release'),
      call(2, 'echo', { text: 'the id of another' }),
    ]);
    const answers = (await client.received.next()) as readonly { readonly id: number }[];
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([1, 2, 3, 4]));
    expect(answers).toHaveLength(4);
    expect(answers).toContainEqual(expect.objectContaining({ id: 1, result: { content: [{ type: 'text', text: '1 held' }] } }));
    expect(answers).toContainEqual(expect.objectContaining({ id: 2, result: { content: [{ type: 'text', text: 'two' }] } }));
    expect(answers).toContainEqual(expect.objectContaining({ id: 3, error: expect.objectContaining({ code: -32_600 }) }));
  });

  it('is answered without the cancelled requests', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-03-26');
    client.send([call(1, 'wait'), call(2, 'echo', { text: 'two' })]);
    await client.received.next(({ method }) => method === 'notifications/message');
    client.send(notification('notifications/cancelled', { requestId: 1 }));
    expect(await client.received.next()).toMatchObject([{ id: 2 }]);
  });

  it('gets no response if none of its messages requires a response', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-03-26');
    client.send([notification('notifications/unheard')], request(1, 'ping'));
    expect(await client.received.next()).toMatchObject({ id: 1, result: {} });
  });

  it('may answer questions', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-03-26', { elicitation: {} });
    client.send(call(1, 'ask'), call(2, 'ask'));
    const asked = [];
    for (let each = 0; each < 2; each += 1)
      asked.push(await client.received.next(({ method }) => method === 'elicitation/create'));
    client.send(asked.map(({ id }) => ({ jsonrpc: '2.0', id, result: { action: 'decline' } })));
    for (const id of [1, 2]) expect(await answerTo(client, id)).toMatchObject({ result: { content: [{ text: 'decline' }] } });
  });

  it('is answered with several arrays if one line would be too large for the client', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-03-26');
    client.send([1, 2, 3].map((id) => call(id, 'large', { size: 4 * MIB })));
    const parts = [await client.received.next(), await client.received.next()] as unknown as readonly (readonly object[])[];
    expect(parts.map(({ length }) => length)).toEqual([2, 1]);
  });

  it.each(['2024-11-05', '2025-11-25'])('is rejected on %s', async (revision) => {
    await using client = new StdioClient();
    await openSession(client, revision);
    client.send([call(1, 'echo', { text: 'one' })], request(2, 'ping'));
    expect(await client.received.next()).toMatchObject({
      error: { code: -32_600, message: 'Only protocol version 2025-03-26 supports batches' },
    });
    await answerTo(client, 2);
    expect(client.received.all.filter(({ id }) => id === 1)).toEqual([]);
  });

  it('is rejected if it is empty or too long', async () => {
    await using client = new StdioClient();
    await openSession(client, '2025-03-26');
    for (const length of [0, 101]) {
      client.send(Array.from({ length }, (_, id) => request(id, 'ping')));
      const message = `A batch has 1 to 100 messages, this one has ${length}`;
      expect(await client.received.next()).toEqual({ jsonrpc: '2.0', error: { code: -32_600, message } });
    }
  });

  it('cannot open a session', async () => {
    await using client = new StdioClient();
    client.send([initialize(1, '2025-03-26')]);
    expect(await client.received.next()).toMatchObject({ error: { code: -32_600 } });
  });
});
