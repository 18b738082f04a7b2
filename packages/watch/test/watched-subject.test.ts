import path from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { fileSubject, WatchHub, type Subject } from '../src/index.ts';
import {
  Heard,
  heardOf,
  oneFile,
  openHub,
  openWatchers,
  refuseWatches,
  POLLED,
  temporaryDirectory,
  textOf,
  unheard,
  write,
} from './ground.ts';

/** A subject by the text of a file; `broken` is a text that it cannot read. */
function textSubject(file: string): Subject {
  const fingerprint = async (): Promise<string> => {
    const text = textOf(file);
    if (text === 'broken') throw new Error('it cannot be read');
    return text;
  };
  return { key: file, places: [{ kind: 'file', path: file }], fingerprint };
}

describe('a fingerprint', () => {
  it('that is the same after a hint is no change', async () => {
    const file = await oneFile();
    const { hub } = openHub();
    const heard = new Heard(() => textOf(file));
    await hub.watch(textSubject(file), heard.changed);
    const raw = heardOf(file);
    await hub.watch(fileSubject(file), raw.changed);
    write(file, 'old');
    await raw.until('old');
    write(file, 'new');
    await heard.until('new');
    expect(heard.seen).toEqual(['new']);
  });

  it('that fails is reported, and the next one counts', async () => {
    const file = await oneFile();
    const { hub, errors } = openHub();
    const heard = heardOf(file);
    await hub.watch(textSubject(file), heard.changed);
    write(file, 'broken');
    await errors.until('it cannot be read');
    write(file, 'new');
    await heard.until('new');
    expect(heard.seen).toEqual(['new']);
    expect(errors.seen).toEqual(['it cannot be read']);
  });

  it('that fails and is then as it was is no change', async () => {
    const file = await oneFile();
    const { hub, errors } = openHub();
    const heard = heardOf(file);
    await hub.watch(textSubject(file), heard.changed);
    write(file, 'broken');
    await errors.until('it cannot be read');
    write(file, 'old');
    const next = heardOf(file);
    await hub.watch(textSubject(file), next.changed);
    write(file, 'new');
    await heard.until('new');
    expect(heard.seen).toEqual(['new']);
  });

  it('that fails at the start is reported, and the first one that does not is a change', async () => {
    const file = await oneFile();
    write(file, 'broken');
    const { hub, errors } = openHub();
    const heard = heardOf(file);
    await hub.watch(textSubject(file), heard.changed);
    expect(errors.seen).toEqual(['it cannot be read']);
    write(file, 'new');
    await heard.until('new');
    expect(heard.seen).toEqual(['new']);
  });

  it('is computed again for a change that came while it was', async () => {
    const file = await oneFile();
    const { hub } = openHub();
    const heard = heardOf(file);
    const computing = new Heard(() => textOf(file));
    let release = (): void => undefined;
    const fingerprint = async (): Promise<string> => {
      const text = textOf(file);
      if (text !== 'slow') return text;
      const released = new Promise<void>((resolve) => (release = resolve));
      computing.changed();
      await released;
      return text;
    };
    await hub.watch({ ...textSubject(file), fingerprint }, heard.changed);
    write(file, 'slow');
    await computing.until('slow');
    write(file, 'new');
    const other = heardOf(file);
    await hub.watch(fileSubject(file), other.changed);
    release();
    await heard.until('new');
    write(file, 'newer');
    await heard.until('newer');
    expect(heard.seen.at(-1)).toBe('newer');
    expect(computing.seen).toEqual(['slow']);
  });

  it('that never comes does not hold up the disposal', async () => {
    const file = await oneFile();
    const { hub } = openHub();
    const computing = new Heard(() => textOf(file));
    const fingerprint = (): Promise<string> => {
      if (textOf(file) === 'old') return Promise.resolve('old');
      computing.changed();
      return new Promise(() => undefined);
    };
    await hub.watch({ ...textSubject(file), fingerprint }, () => undefined);
    write(file, 'stuck');
    await computing.until('stuck');
    await hub[Symbol.asyncDispose]();
    expect(hub.size).toBe(0);
  });
});

describe('a subject that cannot be watched', () => {
  it.each(['ENOSPC', 'EMFILE', 'EACCES'])('because of %s is polled, and no change is lost', async (code) => {
    const file = await oneFile();
    refuseWatches(code);
    const { hub, errors } = openHub();
    const heard = heardOf(file);
    await hub.watch(fileSubject(file), heard.changed);
    expect(errors.seen).toEqual([`${code}: no watch; ${POLLED}`]);
    write(file, 'one');
    await heard.until('one');
    expect([heard.seen, errors.seen]).toEqual([['one'], [`${code}: no watch; ${POLLED}`]]);
  });

  it('is reported once for all when the machine has no watches left', async () => {
    const file = await oneFile();
    refuseWatches('ENOSPC');
    const { hub, errors } = openHub();
    const heard = heardOf(file);
    const tree = { kind: 'tree', path: path.dirname(file), ignores: () => false } as const;
    await hub.watch(fileSubject(path.join(path.dirname(file), 'other.txt')), () => undefined);
    await hub.watch({ ...textSubject(file), places: [tree] }, heard.changed);
    write(file, 'one');
    await heard.until('one');
    expect(heard.seen).toEqual(['one']);
    expect(errors.seen).toEqual([`ENOSPC: no watch; ${POLLED}`]);
  });

  it('gives back the watches it had got', async () => {
    const root = await temporaryDirectory();
    for (let index = 0; index < 100; index++) write(path.join(root, `${index % 10}/${index}/a.txt`), '');
    refuseWatches('ENOSPC', 60);
    const before = await openWatchers();
    const { hub, errors } = openHub();
    const place = { kind: 'tree', path: root, ignores: () => false } as const;
    await hub.watch({ ...textSubject(root), places: [place] }, () => undefined);
    expect(errors.seen).toEqual([`ENOSPC: no watch; ${POLLED}`]);
    expect((await openWatchers()) - before).toBe(0);
  });

  it('is polled no more once its last listener has left', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    refuseWatches('ENOSPC');
    const held = unheard();
    const { hub } = openHub();
    const polled = await hub.watch(
      { ...held.subject, places: [{ kind: 'tree', path: '/', ignores: () => true }] },
      () => undefined,
    );
    expect([hub.size, vi.getTimerCount()]).toEqual([1, 2]);
    await polled[Symbol.asyncDispose]();
    expect([hub.size, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe('a hub whose onError throws', () => {
  it('goes on', async () => {
    const file = await oneFile();
    await using hub = new WatchHub({
      onError: () => {
        throw new Error('nobody listens');
      },
    });
    const heard = heardOf(file);
    await hub.watch(fileSubject(file), () => {
      throw new Error('thrown by a listener');
    });
    await hub.watch(fileSubject(file), heard.changed);
    for (const text of ['one', 'two']) {
      write(file, text);
      await heard.until(text);
    }
    expect(heard.seen).toEqual(['one', 'two']);
  });
});
