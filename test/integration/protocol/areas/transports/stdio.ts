import { expect } from 'vitest';

import type { Area } from '../../client/area.ts';
import type { RawClient } from '../../client/raw-client.ts';
import { roundTrip, textOf } from '../../client/reading.ts';
import { StdioWire } from '../../wires/stdio-wire.ts';

/** A length in bytes that exceeds the maximum of a line. */
const TOO_LONG = 10 * 1024 * 1024 + 1;

function wireOf({ wire }: RawClient): StdioWire {
  if (wire instanceof StdioWire) return wire;
  throw new Error('the client does not use stdio');
}

function echo(client: RawClient, id: number, text: string): Buffer {
  const params = client.complete({ name: 'echo', arguments: { text } });
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }));
}

export const stdio: Area = (test) => {
  test('writes each message on one line, even if its texts contain line breaks', ['stdio.lines'], async ({ client }) => {
    const { stdout } = wireOf(client).program;
    const before = stdout.all.length;
    expect(textOf(await client.call('echo', { text: 'one\ntwo\r\nthree\u2028' }))).toBe('one\ntwo\r\nthree\u2028');
    expect(stdout.all.length - before).toBe(1);
  });

  test('writes only messages to stdout, and console output to stderr', ['stdio.stdout', 'stdio.stderr'], async ({ client }) => {
    const { stdout, stderr } = wireOf(client).program;
    await client.call('print');
    expect(await stderr.next((line) => line.includes('a stray line'))).toBe('a stray line');
    await roundTrip(client);
    // A line may contain several messages, because a batch is answered on one line.
    for (const message of stdout.all.flatMap((line) => JSON.parse(line))) expect(message).toMatchObject({ jsonrpc: '2.0' });
  });

  test('reads a message that arrives in pieces', ['stdio.chunks'], async ({ client }) => {
    const wire = wireOf(client);
    const id = client.nextId();
    const answer = client.answerTo(id, 'tools/call');
    const line = Buffer.concat([echo(client, id, 'é 🌍'), Buffer.from('\n')]);
    const middle = line.indexOf('🌍') + 2;
    for (const piece of [line.subarray(0, 1), line.subarray(1, middle), line.subarray(middle)]) {
      await wire.writeBytes(piece);
    }
    expect(textOf((await answer).result ?? {})).toBe('é 🌍');
  });

  test(
    'reads messages that arrive at once, between empty lines, and after either line ending',
    ['stdio.chunks'],
    async ({ client }) => {
      const ids = [client.nextId(), client.nextId(), client.nextId()];
      const answers = ids.map((id) => client.answerTo(id, 'tools/call'));
      const ends = ['\r\n', '\n\n', '\n'].map((end) => Buffer.from(end));
      await wireOf(client).writeBytes(
        Buffer.concat(ids.flatMap((id, index) => [echo(client, id, `${id}`), ends[index] ?? Buffer.of()])),
      );
      expect((await Promise.all(answers)).map(({ result }) => textOf(result ?? {}))).toEqual(ids.map(String));
    },
  );

  test('rejects a line that is too long, and continues', ['stdio.oversize'], async ({ client }) => {
    const refused = client.upcoming(({ error }) => error !== undefined);
    await client.write(`"${'x'.repeat(TOO_LONG)}"`);
    const answer = await refused;
    expect(answer.error).toMatchObject({ code: -32_600 });
    expect(answer).not.toHaveProperty('id');
    await roundTrip(client);
  });

  test('exits on SIGTERM', ['stdio.sigterm'], async ({ served }) => {
    await using client = await served.connect();
    await roundTrip(client);
    const { program } = wireOf(client);
    program.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0 });
  });

  // This test must be the last one of a revision over stdio, because it ends the process that all tests share.
  test('exits when its input ends', ['stdio.end'], async ({ client }) => {
    const { program } = wireOf(client);
    program.stdin.end();
    expect(await program.ended).toMatchObject({ code: 0 });
  });
};
