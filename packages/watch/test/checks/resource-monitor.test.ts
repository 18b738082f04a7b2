import path from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { fileResource, WatchHub, type WatchedResource } from '../../src/index.ts';
import {
  RecordingListener,
  recordFile,
  createFile,
  openHub,
  countOpenWatchers,
  refuseWatches,
  POLLING_NOTE,
  temporaryDirectory,
  readText,
  createUnwatchedResource,
  write,
} from '../fixtures.ts';

/** Creates a resource whose fingerprint is the text of a file. The text `broken` makes the fingerprint fail. */
function createTextResource(file: string): WatchedResource {
  const fingerprint = async (): Promise<string> => {
    const text = readText(file);
    if (text === 'broken') throw new Error('it cannot be read');
    return text;
  };
  return { key: file, targets: [{ kind: 'file', path: file }], fingerprint };
}

describe('a fingerprint', () => {
  it('causes no announcement if it is unchanged after a hint', async () => {
    const file = await createFile();
    const { hub } = openHub();
    const heard = new RecordingListener(() => readText(file));
    await hub.watch(createTextResource(file), heard.changed);
    const raw = recordFile(file);
    await hub.watch(fileResource(file), raw.changed);
    write(file, 'old');
    await raw.until('old');
    write(file, 'new');
    await heard.until('new');
    expect(heard.seen).toEqual(['new']);
  });

  it('is reported if it fails, and the next one is compared', async () => {
    const file = await createFile();
    const { hub, errors } = openHub();
    const heard = recordFile(file);
    await hub.watch(createTextResource(file), heard.changed);
    write(file, 'broken');
    await errors.until('it cannot be read');
    write(file, 'new');
    await heard.until('new');
    expect(heard.seen).toEqual(['new']);
    expect(errors.seen).toEqual(['it cannot be read']);
  });

  it('causes no announcement if it is unchanged after a failure', async () => {
    const file = await createFile();
    const { hub, errors } = openHub();
    const heard = recordFile(file);
    await hub.watch(createTextResource(file), heard.changed);
    write(file, 'broken');
    await errors.until('it cannot be read');
    write(file, 'old');
    const next = recordFile(file);
    await hub.watch(createTextResource(file), next.changed);
    write(file, 'new');
    await heard.until('new');
    expect(heard.seen).toEqual(['new']);
  });

  it('is reported if it fails at the start, and the first success is announced', async () => {
    const file = await createFile();
    write(file, 'broken');
    const { hub, errors } = openHub();
    const heard = recordFile(file);
    await hub.watch(createTextResource(file), heard.changed);
    expect(errors.seen).toEqual(['it cannot be read']);
    write(file, 'new');
    await heard.until('new');
    expect(heard.seen).toEqual(['new']);
  });

  it('is computed again for a change during its computation', async () => {
    const file = await createFile();
    const { hub } = openHub();
    const heard = recordFile(file);
    const computing = new RecordingListener(() => readText(file));
    let release = (): void => undefined;
    const fingerprint = async (): Promise<string> => {
      const text = readText(file);
      if (text !== 'slow') return text;
      const released = new Promise<void>((resolve) => (release = resolve));
      computing.changed();
      await released;
      return text;
    };
    await hub.watch({ ...createTextResource(file), fingerprint }, heard.changed);
    write(file, 'slow');
    await computing.until('slow');
    write(file, 'new');
    const other = recordFile(file);
    await hub.watch(fileResource(file), other.changed);
    release();
    await heard.until('new');
    write(file, 'newer');
    await heard.until('newer');
    expect(heard.seen.at(-1)).toBe('newer');
    expect(computing.seen).toEqual(['slow']);
  });

  it('does not delay the disposal if it never resolves', async () => {
    const file = await createFile();
    const { hub } = openHub();
    const computing = new RecordingListener(() => readText(file));
    const fingerprint = (): Promise<string> => {
      if (readText(file) === 'old') return Promise.resolve('old');
      computing.changed();
      return new Promise(() => undefined);
    };
    await hub.watch({ ...createTextResource(file), fingerprint }, () => undefined);
    write(file, 'stuck');
    await computing.until('stuck');
    await hub[Symbol.asyncDispose]();
    expect(hub.size).toBe(0);
  });
});

describe('a resource that cannot be watched', () => {
  it.each(['ENOSPC', 'EMFILE', 'EACCES'])('is polled after %s, and no change is lost', async (code) => {
    const file = await createFile();
    refuseWatches(code);
    const { hub, errors } = openHub();
    const heard = recordFile(file);
    await hub.watch(fileResource(file), heard.changed);
    expect(errors.seen).toEqual([`${code}: no watch; ${POLLING_NOTE}`]);
    write(file, 'one');
    await heard.until('one');
    expect([heard.seen, errors.seen]).toEqual([['one'], [`${code}: no watch; ${POLLING_NOTE}`]]);
  });

  it('is reported once for all resources if the machine has no free watches', async () => {
    const file = await createFile();
    refuseWatches('ENOSPC');
    const { hub, errors } = openHub();
    const heard = recordFile(file);
    const tree = { kind: 'tree', path: path.dirname(file), ignores: () => false } as const;
    await hub.watch(fileResource(path.join(path.dirname(file), 'other.txt')), () => undefined);
    await hub.watch({ ...createTextResource(file), targets: [tree] }, heard.changed);
    write(file, 'one');
    await heard.until('one');
    expect(heard.seen).toEqual(['one']);
    expect(errors.seen).toEqual([`ENOSPC: no watch; ${POLLING_NOTE}`]);
  });

  it('releases the watches that it had already opened', async () => {
    const root = await temporaryDirectory();
    for (let index = 0; index < 100; index++) write(path.join(root, `${index % 10}/${index}/a.txt`), '');
    refuseWatches('ENOSPC', 60);
    const before = await countOpenWatchers();
    const { hub, errors } = openHub();
    const place = { kind: 'tree', path: root, ignores: () => false } as const;
    await hub.watch({ ...createTextResource(root), targets: [place] }, () => undefined);
    expect(errors.seen).toEqual([`ENOSPC: no watch; ${POLLING_NOTE}`]);
    expect((await countOpenWatchers()) - before).toBe(0);
  });

  it('is no longer polled after its last listener was removed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    refuseWatches('ENOSPC');
    const held = createUnwatchedResource();
    const { hub } = openHub();
    const polled = await hub.watch(
      { ...held.subject, targets: [{ kind: 'tree', path: '/', ignores: () => true }] },
      () => undefined,
    );
    expect([hub.size, vi.getTimerCount()]).toEqual([1, 2]);
    await polled[Symbol.asyncDispose]();
    expect([hub.size, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe('a hub whose onError throws', () => {
  it('continues to announce changes', async () => {
    const file = await createFile();
    await using hub = new WatchHub({
      onError: () => {
        throw new Error('the listener of errors failed');
      },
    });
    const heard = recordFile(file);
    await hub.watch(fileResource(file), () => {
      throw new Error('thrown by a listener');
    });
    await hub.watch(fileResource(file), heard.changed);
    for (const text of ['one', 'two']) {
      write(file, text);
      await heard.until(text);
    }
    expect(heard.seen).toEqual(['one', 'two']);
  });
});
