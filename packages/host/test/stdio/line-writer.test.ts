import { EventEmitter, once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { LineWriter } from '../../src/stdio/line-writer.ts';

/** Creates a stream that records each write, and completes no write before `release`. */
function heldBack(): { readonly stream: Writable; readonly written: string[]; readonly release: () => void } {
  const written: string[] = [];
  const released = new EventEmitter();
  let isReleased = false;
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      written.push(chunk);
      if (isReleased) done();
      else released.once('release', () => done());
    },
  });
  const release = (): void => {
    isReleased = true;
    released.emit('release');
  };
  return { stream, written, release };
}

describe('a writer of lines', () => {
  it('writes the lines of one tick together', async () => {
    const { stream, written } = heldBack();
    const writer = new LineWriter(stream, 1000, () => undefined);
    await writer.write('a');
    await Promise.resolve().then(() => writer.write('b'));
    expect(written).toEqual([]);
    await turn();
    expect(written).toEqual(['a\nb\n']);
  });

  it('writes the lines of later ticks together at the end of the turn of the event loop', async () => {
    const { stream, written, release } = heldBack();
    release();
    const writer = new LineWriter(stream, 1000, () => undefined);
    const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
    const turns = [['a', 'b', 'c'], ['d']];
    for (const lines of turns) {
      for (const line of lines) {
        await writer.write(line);
        await tick();
      }
      await turn();
    }
    expect(written.join('')).toBe('a\nb\nc\nd\n');
    expect(written).toEqual(['a\n', 'b\nc\n', 'd\n']);
  });

  it('writes a long line separately, in order', async () => {
    const stream = new PassThrough({ encoding: 'utf8', highWaterMark: 1_000_000 });
    const writer = new LineWriter(stream, 1_000_000, () => undefined);
    const long = 'x'.repeat(100_000);
    for (const line of ['a', long, 'b']) await writer.write(line);
    await turn();
    const [first, second, third] = String(stream.read()).split('\n');
    expect([first, second === long, third]).toEqual(['a', true, 'b']);
  });

  it('is full above its limit of unread bytes, and reports when it is not', async () => {
    const { stream, release } = heldBack();
    let rooms = 0;
    const writer = new LineWriter(stream, 100, () => (rooms += 1));
    await writer.write('a'.repeat(50));
    expect(writer.isFull).toBe(false);
    let hasRoom = false;
    const room = writer.write('b'.repeat(20_000)).then(() => (hasRoom = true));
    await turn();
    expect([writer.isFull, hasRoom, rooms]).toEqual([true, false, 0]);
    const drained = once(stream, 'drain');
    release();
    await drained;
    await room;
    expect([writer.isFull, rooms]).toEqual([false, 1]);
  });

  it('has room at once if the stream accepts everything', async () => {
    const writer = new LineWriter(new PassThrough(), 10, () => undefined);
    await expect(writer.write('x'.repeat(100))).resolves.toBeUndefined();
  });

  it('writes the remaining lines on close and releases waiting callers', async () => {
    const { stream, written } = heldBack();
    const writer = new LineWriter(stream, 10, () => undefined);
    const waiting = writer.write('x'.repeat(20_000));
    writer.close();
    expect(written).toEqual([`${'x'.repeat(20_000)}\n`]);
    await expect(waiting).resolves.toBeUndefined();
  });
});
