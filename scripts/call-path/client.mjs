import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { ROOT } from '../workspace/run.mjs';

const PROBE = new URL('probe.mjs', import.meta.url).href;

/** Milliseconds for work that a server does after its answer; this work belongs to the call. */
const SETTLE_MS = 1000;

/** A minimal MCP client: lines of JSON over stdio, and messages to the probe inside the server over Node's own channel. */
export class Client {
  /** @readonly */
  #child;
  #nextId = 0;
  /** @readonly */
  #answers = new Map();
  #onProgress = () => undefined;

  static async start(program, args) {
    const client = new Client(program, args);
    const clientInfo = { name: 'call-path', version: '1.0.0' };
    await client.#request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    client.#send({ method: 'notifications/initialized' });
    return client;
  }

  constructor(program, args) {
    this.#child = spawn(process.execPath, ['--conditions', '@org/dist', '--import', PROBE, program, ...args], {
      cwd: ROOT,
      env: { ...process.env, MCP_CALL_PATH_ROOT: pathToFileURL(ROOT).href },
      stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#receive(JSON.parse(line)));
  }

  async call(name, args) {
    const { result, error } = await this.#request('tools/call', { name, arguments: args });
    if (error !== undefined || result.isError) throw new Error(`${name} failed: ${JSON.stringify(error ?? result.content)}`);
  }

  /** Cancels the call as soon as it reports progress. A cancelled request gets no answer. */
  async cancelAfterProgress(name, args) {
    const reported = new Promise((resolve) => (this.#onProgress = resolve));
    const answered = this.#request('tools/call', { name, arguments: args, _meta: { progressToken: 'progress' } });
    const requestId = this.#nextId;
    const early = await Promise.race([reported, answered]);
    if (early?.id !== undefined) throw new Error(`${name} ended before it could be cancelled: ${JSON.stringify(early)}`);
    this.#send({ method: 'notifications/cancelled', params: { requestId, reason: 'enough' } });
    await sleep(SETTLE_MS);
  }

  async measure(kind, call) {
    await sleep(SETTLE_MS);
    await this.#ask({ begin: kind });
    await call();
    await sleep(SETTLE_MS);
    return this.#ask({ end: kind });
  }

  async close() {
    const exited = once(this.#child, 'exit');
    this.#child.stdin.end();
    await exited;
  }

  async #ask(command) {
    const answer = once(this.#child, 'message');
    this.#child.send(command);
    return (await answer)[0];
  }

  #request(method, params) {
    this.#nextId += 1;
    const id = this.#nextId;
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #receive(message) {
    if (message.method === 'notifications/progress') this.#onProgress();
    if (message.method === undefined) this.#answers.get(message.id)?.(message);
  }
}
