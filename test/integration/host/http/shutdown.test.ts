import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ERAS, Session, startProgram, type Era, type RunningProgram } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { compiledProgram } from '../../support/compiled-program.ts';
import { ENVELOPE } from '../../support/wire.ts';
import { NOTE } from './closing-server.ts';

const PROGRAM = compiledProgram(new URL('closing-program.ts', import.meta.url));

/** The process of a server over HTTP. */
class Serving implements AsyncDisposable {
  readonly #program: RunningProgram;
  readonly url: URL;

  private constructor(program: RunningProgram, url: URL) {
    this.#program = program;
    this.url = url;
  }

  static async start(): Promise<Serving> {
    const { command, args = [] } = PROGRAM;
    const program = startProgram({ command, args: [...args, '--http', '0'] });
    const line = await program.stderr.next((each) => each.includes('serves at'));
    return new Serving(program, new URL(line.slice(line.indexOf('http'))));
  }

  get ended(): Promise<{ readonly code: number | null; readonly stderr: string }> {
    return this.#program.ended;
  }

  connect(era: Era): Promise<Session> {
    return Session.open(new StreamableHTTPClientTransport(this.url), { era }, () => Promise.resolve());
  }

  says(text: string): Promise<string> {
    return this.#program.stderr.next((line) => line.includes(text));
  }

  kill(signal: NodeJS.Signals): void {
    this.#program.kill(signal);
  }

  letGo(): void {
    this.#program.stdin.write('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
  }
}

/** Opens a listen stream as a client of 2026-07-28. Resolves to a reader of the stream. */
async function listen(url: URL): Promise<ReadableStreamDefaultReader<string>> {
  const method = 'subscriptions/listen';
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'listening',
      method,
      params: { notifications: { resourceSubscriptions: [NOTE] }, _meta: ENVELOPE },
    }),
  });
  return response.body!.pipeThrough(new TextDecoderStream()).getReader();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.each(ERAS)('a process that serves over HTTP and receives SIGTERM, in the %s era,', (era) => {
  it('finishes its calls, releases its resources and ends with 0', async () => {
    await using serving = await Serving.start();
    await using session = await serving.connect(era);
    const child = Number(await session.text('child'));
    const held = session.start('hold').result;
    await serving.says('held');
    expect(isRunning(child)).toBe(true);
    serving.kill('SIGTERM');
    await serving.says('closing');
    serving.letGo();
    expect(await held).toMatchObject({ content: [{ text: 'let go' }] });
    await serving.says('disposed');
    expect(await serving.ended).toMatchObject({ code: 0 });
    expect(isRunning(child)).toBe(false);
  });

  it('aborts calls that take too long, and sends an error for each', async () => {
    await using serving = await Serving.start();
    await using session = await serving.connect(era);
    const child = Number(await session.text('child'));
    const held = session.start('hold').result;
    await serving.says('held');
    serving.kill('SIGTERM');
    await expect(held).rejects.toThrow(/shutting down|closed/);
    await serving.says('aborted');
    await serving.says('disposed');
    expect(await serving.ended).toMatchObject({ code: 0 });
    expect(isRunning(child)).toBe(false);
  });

  it('accepts no new calls during the shutdown', async () => {
    await using serving = await Serving.start();
    await using session = await serving.connect(era);
    const held = session.start('hold').result;
    await serving.says('held');
    serving.kill('SIGTERM');
    await serving.says('closing');
    await expect(session.text('child')).rejects.toThrow();
    serving.letGo();
    expect(await held).toMatchObject({ content: [{ text: 'let go' }] });
  });

  it('does not wait for calls after a second signal', async () => {
    await using serving = await Serving.start();
    await using session = await serving.connect(era);
    const held = session.start('hold').result;
    await serving.says('held');
    serving.kill('SIGTERM');
    await serving.says('closing');
    serving.kill('SIGINT');
    expect(await serving.ended).toMatchObject({ code: 0 });
    await expect(held).rejects.toThrow();
  });
});

describe('a listen stream of a process that receives SIGTERM', () => {
  it('receives a final message, and all watches are released', async () => {
    await using serving = await Serving.start();
    const stream = await listen(serving.url);
    expect((await stream.read()).value).toContain('acknowledged');
    serving.kill('SIGTERM');
    expect((await stream.read()).value).toMatch(/"id":"listening","result":\{"resultType":"complete"/);
    expect(await stream.read()).toMatchObject({ done: true });
    await serving.says('not watched any more');
    expect(await serving.ended).toMatchObject({ code: 0 });
  });

  it('ends without an error in a session', async () => {
    await using serving = await Serving.start();
    await using session = await serving.connect('legacy');
    const updates = await session.subscribe(NOTE);
    serving.kill('SIGTERM');
    await serving.says('not watched any more');
    expect(await serving.ended).toMatchObject({ code: 0 });
    expect(updates.count).toBe(0);
  });
});
