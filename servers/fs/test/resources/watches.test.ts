import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { connectHttp, connectProcess, eachTransport, ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it, vi } from 'vitest';

import { serverFor, temporaryDirectory } from '../fixtures/temporary.ts';

const BIN = fileURLToPath(new URL('../../bin/mcp-fs.js', import.meta.url));

const CASES = eachTransport({
  server: ({ root }: { readonly root: string }) => serverFor({ directories: [root] }),
  program: ({ root }) => ({ command: process.execPath, args: [BIN, root] }),
});

/** Creates a root with two files in the directory `a` and one file in `b`. Returns the root, the files and their URIs. */
async function makeRoot() {
  const root = await temporaryDirectory();
  const files = ['a/one.txt', 'a/two.txt', 'b/three.txt'].map((name) => path.join(root, name));
  for (const file of files) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, 'old');
  }
  return { root, files, uris: files.map((file) => pathToFileURL(file).href) };
}

/** Returns the number of inotify watches of the process that serves a session. */
function watchesFor({ client: { transport } }: Session): number {
  const pid = transport !== undefined && 'pid' in transport ? String(transport.pid) : 'self';
  const directory = `/proc/${pid}/fdinfo`;
  return readdirSync(directory).flatMap((name) => watchesOf(path.join(directory, name))).length;
}

function watchesOf(descriptor: string): readonly string[] {
  try {
    return readFileSync(descriptor, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('inotify wd'));
  } catch {
    // A descriptor may already be closed, such as the one with which the directory was listed.
    return [];
  }
}

async function subscribeAll(session: Session, uris: readonly string[]): Promise<readonly AsyncDisposable[]> {
  const subscriptions: AsyncDisposable[] = [];
  for (const uri of uris) subscriptions.push(await session.subscribe(uri));
  return subscriptions;
}

describe.runIf(process.platform === 'linux').each(CASES)('subscriptions over $name', ({ connect }) => {
  it('use one watch per directory until the last subscription ends', async () => {
    const { root, uris } = await makeRoot();
    await using session = await connect({ root });
    const [one, two, three] = await subscribeAll(session, uris);
    // One watch for the root, and one for each of its two directories.
    expect(watchesFor(session)).toBe(3);
    await one![Symbol.asyncDispose]();
    await three![Symbol.asyncDispose]();
    await vi.waitFor(() => expect(watchesFor(session)).toBe(2));
    await two![Symbol.asyncDispose]();
    await vi.waitFor(() => expect(watchesFor(session)).toBe(0));
  });

  it('start and end alternately without leaving watches behind', async () => {
    const { root, files, uris } = await makeRoot();
    await using session = await connect({ root });
    for (let round = 0; round < 5; round += 1) {
      const updates = await session.subscribe(uris[0]!);
      await writeFile(files[0]!, `round ${round}`);
      await updates.next();
      await updates[Symbol.asyncDispose]();
    }
    await vi.waitFor(() => expect(watchesFor(session)).toBe(0));
  });
});

// Only in memory: over HTTP, a session does not end with its connection; over stdio, the process ends with its client.
const IN_MEMORY = CASES.filter(({ transport }) => transport === 'memory');

describe.runIf(process.platform === 'linux').each(IN_MEMORY)('subscriptions over $name', ({ connect }) => {
  it('end with the connection of their client', async () => {
    const { root, uris } = await makeRoot();
    await using session = await connect({ root });
    await subscribeAll(session, uris);
    expect(watchesFor(session)).toBe(3);
    await session.client.close();
    await vi.waitFor(() => expect(watchesFor(session)).toBe(0));
  });
});

/**
 * Arguments with which `unshare` runs a command in a user namespace without inotify watches. Some machines do not allow such a
 * namespace.
 */
const SCARCE = ['--user', '--map-root-user', 'sh', '-c', 'echo 0 > /proc/sys/user/max_inotify_watches && exec "$0" "$@"'];

describe.runIf(spawnSync('unshare', [...SCARCE, 'true']).status === 0).each(ERAS)('subscriptions in the %s era', (era) => {
  it('continue if the system has no watches left, with one log line', async () => {
    const { root, files, uris } = await makeRoot();
    const program = { command: 'unshare', args: [...SCARCE, process.execPath, BIN, root], stderr: 'pipe' as const };
    await using session = await connectProcess(program, { era });
    let told = '';
    const { transport } = session.client;
    if (transport !== undefined && 'stderr' in transport && transport.stderr instanceof Readable)
      transport.stderr.setEncoding('utf8').on('data', (text: string) => (told += text));
    for (const [index, uri] of uris.entries()) {
      await using updates = await session.subscribe(uri);
      await writeFile(files[index]!, 'new');
      await updates.next();
    }
    await vi.waitFor(() => expect(told).toContain('ENOSPC'));
    expect(told.match(/ENOSPC/g)).toHaveLength(1);
  });
});

describe.runIf(process.platform === 'linux')('subscriptions over HTTP', () => {
  it('end when a client of 2026-07-28 disconnects', async () => {
    const { root, uris } = await makeRoot();
    await using session = await connectHttp(serverFor({ directories: [root] }), { era: 'modern' });
    await subscribeAll(session, uris);
    expect(watchesFor(session)).toBe(3);
    await session.client.close();
    await vi.waitFor(() => expect(watchesFor(session)).toBe(0));
  });

  it('end when the session is deleted', async () => {
    const { root, uris } = await makeRoot();
    await using session = await connectHttp(serverFor({ directories: [root] }), { era: 'legacy' });
    await subscribeAll(session, uris);
    expect(watchesFor(session)).toBe(3);
    const { transport } = session.client;
    if (transport === undefined || !('terminateSession' in transport)) throw new Error('the transport has no sessions');
    await (transport.terminateSession as () => Promise<void>)();
    await vi.waitFor(() => expect(watchesFor(session)).toBe(0));
  });

  it('end when the client of a session is killed and does not reconnect', async () => {
    const { root, uris } = await makeRoot();
    const server = serverFor({ directories: [root] });
    await using session = await connectHttp(server, { era: 'legacy', sessionIdle: 1000, pingInterval: 0 });
    await subscribeAll(session, uris);
    expect(watchesFor(session)).toBe(3);
    await session.client.close();
    await vi.waitFor(() => expect(watchesFor(session)).toBe(0));
  });
});
