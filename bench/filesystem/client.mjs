import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

import { CALL, INITIALIZE, INITIALIZED } from '../requests.mjs';
import { processorTime, timeOfThreads } from './processor-time.mjs';

const NEWLINE = 0x0a;

/** A server and its client, who speak over pipes as any client does. An answer is timed when its last byte is there, and read after that. */
export class Client {
  #child;
  #name;
  #id = 1;
  #waiting = new Map();
  #chunks = [];
  #complaints = '';

  static async start(name, args) {
    const client = new Client(name, args);
    await client.#request(INITIALIZE);
    client.#send(INITIALIZED);
    return client;
  }

  constructor(name, args) {
    this.#name = name;
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.stdout.on('data', (chunk) => this.#receive(chunk));
    this.#child.stderr.setEncoding('utf8').on('data', (text) => (this.#complaints += text));
    this.#child.stdin.on('error', () => undefined);
    this.#child.once('close', () => this.#fail());
  }

  /** Calls a tool. Resolves to its result, milliseconds from request to answer, and bytes of the line that was the answer. */
  async call(name, args) {
    const answer = await this.begin(name, args).answer;
    const failed = answer.message.error ?? (answer.message.result.isError && answer.message.result.content[0].text);
    if (failed) throw new Error(`${this.#name} failed at ${name}: ${JSON.stringify(failed).slice(0, 500)}`);
    return { ...answer, result: answer.message.result };
  }

  /** Calls a tool, and can cancel that; the answer may then never come. */
  begin(name, args) {
    const id = (this.#id += 1);
    const answer = this.#request(CALL.session(id, { name, arguments: args }));
    const cancel = () => this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    return { answer, cancel };
  }

  /** MiB of memory, now and at the most. */
  get memory() {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    const of = (field) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)[1]) / 1024;
    return { now: of('VmRSS'), most: of('VmHWM') };
  }

  /** Milliseconds for which its threads have had a processor, in ticks. */
  get busyMs() {
    return processorTime(this.#child.pid).own;
  }

  /** The same, exactly, of threads that have not ended. */
  get threadsMs() {
    return timeOfThreads(this.#child.pid);
  }

  async close() {
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }

  #request(message) {
    return new Promise((resolve, reject) => {
      this.#waiting.set(message.id, { resolve, reject, started: performance.now() });
      this.#send(message);
    });
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #receive(chunk) {
    const arrived = performance.now();
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...this.#chunks.splice(0), chunk.subarray(from, end + 1)]);
      from = end + 1;
      this.#answered(line, arrived);
    }
    if (from < chunk.length) this.#chunks.push(chunk.subarray(from));
  }

  #answered(line, arrived) {
    const message = JSON.parse(line);
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    waiting?.resolve({ message, ms: arrived - waiting.started, bytes: line.length });
  }

  #fail() {
    for (const { reject } of this.#waiting.values()) reject(new Error(`${this.#name} ended: ${this.#complaints}`));
  }
}
