import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { FuzzedServer } from './fuzzed-servers.ts';

const PROBES = [
  new URL('../../stalls/stall-probe.mjs', import.meta.url).href,
  new URL('warning-probe.mjs', import.meta.url).href,
];

/** Maximum time in milliseconds that the main thread of a server may compute without answering other requests. */
const MAX_STALL_MS = 500;

/** Name of the file that hostile texts create if a program executes these texts. */
const MARKER = 'executed';

const CONTENT = 'outside\n';

interface Program {
  readonly command: string;
  readonly args: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** A temporary directory with the test files of one server. A file outside the server's directory must not change. */
export class Place implements AsyncDisposable {
  readonly #base: string;

  private constructor(base: string) {
    this.#base = base;
  }

  static async create(server: FuzzedServer): Promise<Place> {
    const base = await realpath(await mkdtemp(path.join(tmpdir(), 'fuzz-')));
    await mkdir(path.join(base, 'outside'));
    await writeFile(path.join(base, 'outside/canary'), CONTENT);
    await mkdir(path.join(base, 'work'));
    await server.prepare(path.join(base, 'work'));
    for (const report of ['report', 'warnings']) await writeFile(path.join(base, report), '');
    return new Place(base);
  }

  /** Returns the command that starts the server with probes, which record stalls of its event loop and warnings of Node.js. */
  program({ script, args }: FuzzedServer, more: readonly string[] = []): Program {
    const file = fileURLToPath(new URL(`../../../${script}`, import.meta.url));
    const cwd = path.join(this.#base, 'work');
    const probes = PROBES.flatMap((probe) => ['--import', probe]);
    const given = [...probes, file, ...args(cwd), '--tools', 'all', '--log-level', 'error', ...more];
    const env = {
      MCP_TEST_STALL_REPORT: path.join(this.#base, 'report'),
      MCP_TEST_WARNING_REPORT: path.join(this.#base, 'warnings'),
    };
    return { command: process.execPath, args: given, cwd, env };
  }

  /** Returns the duration in milliseconds of the longest stall that ended after `since`. Returns 0 if it is within the limit. */
  async longestStall(since: number): Promise<number> {
    const lines = (await readFile(path.join(this.#base, 'report'), 'utf8')).split('\n').filter(Boolean);
    const stalls = lines.map((line) => JSON.parse(line) as { readonly milliseconds: number; readonly end: number });
    const longest = Math.max(0, ...stalls.filter(({ end }) => end > since).map(({ milliseconds }) => milliseconds));
    return longest > MAX_STALL_MS ? Math.round(longest) : 0;
  }

  /** Directory in which the server works. */
  get work(): string {
    return path.join(this.#base, 'work');
  }

  /** Lists temporary files and lock files that remain in the server's directory. */
  async leftovers(): Promise<readonly string[]> {
    const names = await readdir(this.work, { recursive: true });
    return names.filter((name) => /(?:^|\/)\.mcp-.*\.tmp|\.lock$|\/tmp_/.test(name)).map((name) => `${name} remains`);
  }

  /** Describes changes outside the server's directory, files that an executed text created, and the warnings of Node.js. */
  async damage(): Promise<readonly string[]> {
    const outside = path.join(this.#base, 'outside');
    const isIntact =
      (await readdir(outside)).join() === 'canary' && (await readFile(path.join(outside, 'canary'), 'utf8')) === CONTENT;
    const names = await readdir(this.#base, { recursive: true });
    const warnings = (await readFile(path.join(this.#base, 'warnings'), 'utf8')).split('\n').filter(Boolean);
    const executed = names.filter((name) => path.basename(name) === MARKER);
    return [
      ...(isIntact ? [] : ['a file outside the roots changed']),
      ...executed.map((name) => `${name} was created by a program`),
      ...new Set(warnings),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#base, { recursive: true, force: true, maxRetries: 3 });
  }
}
