import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { startProgram } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { compiledProgram } from '../../support/compiled-program.ts';
import {
  answerTo,
  call,
  envelope,
  initialize,
  openSession,
  request,
  StdioClient,
  type Arrived,
} from '../protocol-rules/raw-client.ts';

const PROGRAM = compiledProgram(new URL('ending-program.ts', import.meta.url));
const CLOSING = { code: -32_603, message: 'The server is closing; the request was not finished' };

function start(): StdioClient {
  return new StdioClient(startProgram(PROGRAM));
}

/** Calls tools, each with its name as id, and waits until all of them are in flight. */
async function begin(client: StdioClient, ...tools: readonly string[]): Promise<readonly Arrived[]> {
  client.send(...tools.map((tool) => call(tool, tool)));
  const begun: Arrived[] = [];
  while (begun.length < tools.length) begun.push(await client.received.next(({ method }) => method === 'notifications/message'));
  return begun;
}

function said({ program }: StdioClient, what: string): Promise<string> {
  return program.stderr.next((line) => line.includes(what));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.concurrent('SIGTERM with calls in flight', () => {
  it('waits for the calls, sends an error for unfinished calls, and ends with 0', async () => {
    await using client = start();
    await openSession(client, '2025-11-25');
    await begin(client, 'finish', 'obey', 'ignore');
    client.program.kill('SIGTERM');
    expect(await answerTo(client, 'finish')).toMatchObject({ result: { content: [{ text: 'finished' }] } });
    client.send(call('late', 'large'));
    expect(await answerTo(client, 'late')).toMatchObject({ error: CLOSING });
    expect(await answerTo(client, 'obey')).toMatchObject({ error: CLOSING });
    expect(await answerTo(client, 'ignore')).toMatchObject({ error: CLOSING });
    await said(client, 'aborted');
    await said(client, 'disposed');
    expect(await client.program.ended).toMatchObject({ code: 0 });
  });

  it('leaves no child process of the calls behind', async () => {
    await using client = start();
    await openSession(client, '2025-11-25');
    const [begun] = await begin(client, 'spawn');
    const pid = Number((begun!.params as { readonly data: string }).data);
    expect(isRunning(pid)).toBe(true);
    client.program.kill('SIGTERM');
    expect(await client.program.ended).toMatchObject({ code: 0 });
    expect(isRunning(pid)).toBe(false);
  });

  it('closes listen streams after the results of calls that finish', async () => {
    await using client = start();
    const filter = { notifications: { resourceSubscriptions: ['note://here'] } };
    client.send(request('listen', 'subscriptions/listen', { ...filter, ...envelope() }));
    await client.received.next(({ method }) => method === 'notifications/subscriptions/acknowledged');
    const meta = { _meta: { ...envelope()._meta, 'io.modelcontextprotocol/logLevel': 'info' } };
    client.send(call('finish', 'finish', {}, meta));
    await client.received.next(({ method }) => method === 'notifications/message');
    client.program.kill('SIGTERM');
    expect(await client.received.next()).toMatchObject({ id: 'finish', result: { content: [{ text: 'finished' }] } });
    expect(await client.received.next()).toMatchObject({ id: 'listen', result: { resultType: 'complete' } });
    await said(client, 'unwatched');
    expect(await client.program.ended).toMatchObject({ code: 0 });
  });

  it('when repeated, sends an error for each call immediately, releases all resources, and ends with 0', async () => {
    await using client = start();
    await openSession(client, '2025-11-25');
    await begin(client, 'ignore');
    client.program.kill('SIGTERM');
    await said(client, 'SIGTERM: closing');
    client.program.kill('SIGTERM');
    expect(await answerTo(client, 'ignore')).toMatchObject({ error: CLOSING });
    await said(client, 'disposed');
    expect(await client.program.ended).toMatchObject({ code: 0 });
  });
});

describe.concurrent('the end of the input with calls in flight', () => {
  it('lets the calls finish, and the process ends with 0', async () => {
    await using client = start();
    await openSession(client, '2025-11-25');
    await begin(client, 'finish');
    client.program.stdin.end();
    expect(await answerTo(client, 'finish')).toMatchObject({ result: { content: [{ text: 'finished' }] } });
    await said(client, 'disposed');
    expect(await client.program.ended).toMatchObject({ code: 0 });
  });

  it('sends an error for calls that do not finish', async () => {
    await using client = start();
    await openSession(client, '2025-11-25');
    await begin(client, 'obey');
    client.program.stdin.end();
    expect(await answerTo(client, 'obey')).toMatchObject({ error: CLOSING });
    await said(client, 'aborted');
    expect(await client.program.ended).toMatchObject({ code: 0 });
  });

  it('fails the questions of running calls, because no client can answer them', async () => {
    await using client = start();
    await openSession(client, '2025-11-25', { elicitation: {} });
    client.send(call('ask', 'ask'));
    await client.received.next(({ method }) => method === 'elicitation/create');
    client.program.stdin.end();
    expect(await answerTo(client, 'ask')).toMatchObject({ result: { _meta: { error: { code: 'NO_ANSWER' } } } });
    expect(await client.program.ended).toMatchObject({ code: 0 });
  });

  it('does not prevent responses to earlier messages from a file', async () => {
    await using client = start();
    const calls = Array.from({ length: 20 }, (_, id) => call(id, 'large'));
    client.send(initialize('open', '2025-11-25'), ...calls);
    client.program.stdin.end();
    const { stdout, code } = await client.program.ended;
    expect(code).toBe(0);
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Arrived);
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set(['open', ...calls.keys()]));
    expect(answers).toHaveLength(calls.length + 1);
  });

  it('does not wait long for the calls if a client has closed its end of the connection', async () => {
    await using client = start();
    await openSession(client, '2025-11-25');
    client.send(call('linger', 'linger'));
    client.program.stdin.end();
    expect(await answerTo(client, 'linger')).toMatchObject({ error: CLOSING });
    expect(await client.program.ended).toMatchObject({ code: 0 });
  });

  it('waits for the calls if the input is a file', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'calls-'));
    try {
      const file = path.join(directory, 'calls.jsonl');
      await writeFile(
        file,
        [initialize('open', '2025-11-25'), call('linger', 'linger')].map((m) => `${JSON.stringify(m)}\n`),
      );
      await using input = await open(file);
      const { command, args = [] } = PROGRAM;
      const { stdout } = spawn(command, args, { stdio: [input.fd, 'pipe', 'ignore'] });
      const answers = await stdout?.setEncoding('utf8').toArray();
      expect(answers?.join('')).toContain('"text":"lingered"');
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('followed by SIGTERM sends an error for each call immediately', async () => {
    await using client = start();
    await openSession(client, '2025-11-25');
    await begin(client, 'obey');
    client.program.stdin.end();
    client.program.kill('SIGTERM');
    expect(await answerTo(client, 'obey')).toMatchObject({ error: CLOSING });
    expect(await client.program.ended).toMatchObject({ code: 0 });
  });
});

describe('a client that no longer reads', () => {
  it('ends the server, which releases all resources', async () => {
    const { command, args = [] } = PROGRAM;
    const child = spawn(command, args);
    const stderr: Promise<string[]> = child.stderr.setEncoding('utf8').toArray();
    try {
      child.stdin.on('error', () => undefined).write(`${JSON.stringify(initialize(1, '2025-11-25'))}\n`);
      await once(child.stdout, 'data');
      child.stdin.write(`${JSON.stringify(call(2, 'obey'))}\n`);
      await once(child.stdout, 'data');
      child.stdout.destroy();
      child.stdin.write(`${JSON.stringify(call(3, 'large'))}\n`);
      const [code] = await once(child, 'exit');
      expect(code).toBe(0);
      const said = (await stderr).join('');
      expect(said).toContain('aborted');
      expect(said).toContain('disposed');
    } finally {
      child.kill('SIGKILL');
    }
  });
});
