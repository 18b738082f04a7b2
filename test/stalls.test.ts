import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { fsScene } from './stalls/fs-scene.ts';
import { gitReads, gitScene } from './stalls/git-scene.ts';
import { hostileRequests } from './stalls/requests.ts';
import { sqlScene } from './stalls/sql-scene.ts';
import { call, WatchedServer, type Request, type WatchedProgram } from './stalls/stalls.ts';
import type { UsualValues } from './stalls/string-places.ts';

const CONFIRMS = { answers: { elicitation: { confirm: true } } } as const;

/** Time limit in milliseconds for all texts for every parameter. The default number of texts takes about a minute. */
const TIMEOUT_MS = 3_600_000;

interface WatchedCase {
  readonly name: string;
  readonly program: (directory: string) => WatchedProgram;
  readonly usual: UsualValues;
  readonly prepare?: (directory: string) => Promise<void>;
  /** Creates hostile data or uses data of `prepare`. Returns requests that read the data. */
  readonly reads: (session: Session, directory: string) => Promise<readonly Request[]>;
}

const SERVERS: readonly WatchedCase[] = [
  {
    name: 'mcp-fs',
    program: (directory) => ({
      script: 'servers/fs/bin/mcp-fs.js',
      args: [directory, '--tools', 'all', '--max-search-time', '500ms'],
    }),
    usual: { path: 'a.txt', paths: ['a.txt'], pattern: 'a', source: 'a.txt', edits: [{ oldText: 'one', newText: 'two' }] },
    reads: async (_, directory) => fsScene(directory),
  },
  {
    name: 'mcp-git',
    program: (directory) => ({ script: 'servers/git/bin/mcp-git.js', args: [directory, '--tools', 'all', '--timeout', '10s'] }),
    usual: { path: 'a.txt', revision: 'HEAD', rev: 'HEAD', target: 'HEAD', base: 'HEAD', url: 'https://127.0.0.1:1/x' },
    prepare: gitScene,
    reads: async (_, directory) => gitReads(directory),
  },
  {
    name: 'mcp-sql',
    program: () => ({
      script: 'servers/sql/bin/mcp-sql.js',
      args: [
        '--sample',
        '--writable',
        '--tools',
        'all',
        '--statement-timeout',
        '2s',
        '--max-statement-bytes',
        '1mb',
        '--log-level',
        'off',
      ],
    }),
    usual: {
      sql: 'select 1',
      table: 'orders',
      column: 'id',
      object: 'orders',
      database: 'postgres',
      schema: 'shop',
      timeout_ms: 500,
    },
    reads: sqlScene,
  },
];

describe.each(SERVERS)('$name', ({ program, usual, prepare, reads }) => {
  it(
    'answers other clients within 250 ms for any text in any argument',
    async () => {
      const directory = await temporaryDirectory();
      await prepare?.(directory);
      await using server = await WatchedServer.start(program(directory), { ...CONFIRMS, era: 'legacy' });
      const requests = await hostileRequests(server.session, usual);
      expect(requests.length).toBeGreaterThan(100);
      expect(await server.stalledBy(requests)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'answers other clients within 250 ms for any text that it reads',
    async () => {
      const directory = await temporaryDirectory();
      await prepare?.(directory);
      await using server = await WatchedServer.start(program(directory), { ...CONFIRMS, era: 'legacy' });
      expect(await server.stalledBy(await reads(server.session, directory))).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe('the search for stalls', () => {
  const text = `${' '.repeat(30_000)}x`;

  it('finds a request that blocks the event loop each time it is sent', async () => {
    await using server = await WatchedServer.start({ script: 'test/stalls/slow-program.mjs', args: [] }, { era: 'legacy' });
    const requests = ['linear', 'quadratic', 'patient'].map((name) => call(name, { text }));
    expect(await server.stalledBy(requests)).toEqual([expect.stringMatching(/^quadratic /)]);
  });
});

async function temporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'stalls-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
