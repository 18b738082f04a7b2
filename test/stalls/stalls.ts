import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess, type Session, type SessionOptions } from '@org/mcp-testing';

const PROBE = new URL('stall-probe.mjs', import.meta.url).href;

/** Maximum number of milliseconds for which one request may keep a server from answering other requests. */
const LIMIT_MS = 250;

/**
 * Maximum number of attempts for a request. A stall counts only if every attempt causes a stall, so a garbage collection does not
 * count.
 */
const TRIES = 3;

/** A stall of at least this number of milliseconds counts without a further attempt. */
const CERTAIN_MS = 2_000;

/** Number of findings after which the remaining requests are not tried. */
const MOST_FOUND = 5;

/**
 * Time in milliseconds after which a request without an answer fails the test. It is long, because an answer may have to wait for
 * other processes.
 */
const ANSWER_TIMEOUT_MS = 120_000;

/** A request and its name in failures. */
export interface Request {
  readonly name: string;
  readonly send: (session: Session) => Promise<unknown>;
}

/** Creates a request that calls a tool. */
export function call(name: string, args: Record<string, unknown>): Request {
  return {
    name: `${name} ${JSON.stringify(args).slice(0, 120)}`,
    send: ({ client }) => client.callTool({ name, arguments: args }),
  };
}

export interface WatchedProgram {
  /** The script in the workspace, such as `servers/fs/bin/mcp-fs.js`. */
  readonly script: string;
  readonly args: readonly string[];
}

interface Stall {
  readonly milliseconds: number;
  readonly end: number;
}

/** A server in a separate process whose event loop is watched from inside. */
export class WatchedServer implements AsyncDisposable {
  readonly session: Session;
  readonly #directory: string;

  private constructor(session: Session, directory: string) {
    this.session = session;
    this.#directory = directory;
  }

  static async start({ script, args }: WatchedProgram, options: SessionOptions = {}): Promise<WatchedServer> {
    const directory = await mkdtemp(path.join(tmpdir(), 'stalls-'));
    const file = fileURLToPath(new URL(`../../${script}`, import.meta.url));
    const env = { MCP_TEST_STALL_REPORT: path.join(directory, 'report') };
    await writeFile(env.MCP_TEST_STALL_REPORT, '');
    const session = await connectProcess({ command: process.execPath, args: ['--import', PROBE, file, ...args], env }, options);
    return new WatchedServer(session, directory);
  }

  /**
   * Sends requests one after the other. Resolves to the requests that stall the event loop every time, with the duration of the
   * stall. Stops after `MOST_FOUND` such requests.
   */
  async stalledBy(requests: readonly Request[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const request of requests) {
      const stall = await this.#leastStall(request);
      if (stall > LIMIT_MS) found.push(`${request.name}: ${Math.round(stall)} ms`);
      if (found.length === MOST_FOUND) return found;
    }
    return found;
  }

  async #leastStall(request: Request): Promise<number> {
    let least = await this.#stallOf(request);
    for (let retry = 1; retry < TRIES && least > LIMIT_MS && least < CERTAIN_MS; retry += 1)
      least = Math.min(least, await this.#stallOf(request));
    return least;
  }

  async #stallOf(request: Request): Promise<number> {
    const start = Date.now();
    await this.#send(request);
    // The ping also waits for work that continues after the answer.
    await this.session.client.ping();
    if (Date.now() - start < LIMIT_MS) return 0;
    // When the second answer arrives, the probe has run and recorded the stall.
    await this.session.client.ping();
    const lines = (await readFile(path.join(this.#directory, 'report'), 'utf8')).split('\n').filter((line) => line !== '');
    const stalls = lines.map((line) => JSON.parse(line) as Stall).filter(({ end }) => end > start);
    return Math.max(0, ...stalls.map(({ milliseconds }) => milliseconds));
  }

  /** Sends a request and waits for its answer. The answer may be an error, because only the time matters. */
  async #send({ name, send }: Request): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const lost = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer to ${name} within ${ANSWER_TIMEOUT_MS} ms`)), ANSWER_TIMEOUT_MS);
    });
    const answer = send(this.session).catch((error: unknown) => {
      if (error instanceof Error && /closed/i.test(error.message)) throw new Error(`${name} ended the server`, { cause: error });
    });
    await Promise.race([answer, lost]).finally(() => clearTimeout(timer));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session[Symbol.asyncDispose]();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
