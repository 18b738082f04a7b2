import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

import { processorTime, timeOfThreads } from '../measuring/processor-time.mjs';
import { CALL, INITIALIZE, INITIALIZED } from './requests.mjs';

const NEWLINE = 0x0a;

/**
 * Starts a server with this Node.js, or with another `command`, and connects to it over stdio like any client. An
 * answer is timed when its last byte arrives, and parsed afterwards. Notifications are passed to `onNotification` with
 * the time of their arrival.
 */
export async function startClient(name, args, options = {}) {
  const { command = process.execPath, env = process.env, onNotification = () => undefined } = options;
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
  const closed = once(child, 'close');
  const { request, send } = conversation(child, name, onNotification);
  await request(INITIALIZE);
  send(INITIALIZED);
  let id = 1;

  /**
   * Starts a call, which can be cancelled; a cancelled call may get no answer. With a progress token, the server may
   * report progress.
   */
  const begin = (tool, toolArguments, progressToken) => {
    const requestId = (id += 1);
    const meta = progressToken === undefined ? {} : { _meta: { progressToken } };
    const answer = request(CALL.session(requestId, { name: tool, arguments: toolArguments, ...meta }));
    return { answer, cancel: () => send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }) };
  };

  return {
    pid: child.pid,
    begin,

    /** Calls a tool. Resolves to its result, the milliseconds from request to answer, and the bytes of the answer. */
    async call(tool, toolArguments) {
      const { message, ms, bytes } = await begin(tool, toolArguments).answer;
      const failed = message.error ?? (message.result.isError && message.result.content[0].text);
      if (failed) throw new Error(`${name} failed at ${tool}: ${JSON.stringify(failed).slice(0, 500)}`);
      return { result: message.result, ms, bytes };
    },

    /** Sends a request that is not a tool call. Resolves to its result and milliseconds. */
    async ask(method, params) {
      const { message, ms } = await request({ jsonrpc: '2.0', id: (id += 1), method, params });
      if (message.error) throw new Error(`${name} failed at ${method}: ${JSON.stringify(message.error).slice(0, 500)}`);
      return { result: message.result, ms };
    },

    /** Returns the MiB of memory: current and peak. */
    memory: () => memoryOf(child.pid),

    /**
     * Return the CPU time in milliseconds. `busyMs` includes ended threads and ended child processes, with a resolution of
     * one clock tick (10 ms). `threadsMs` is exact, but includes only threads that have not ended.
     */
    busyMs: () => sumOf(processorTime(child.pid)),
    threadsMs: () => timeOfThreads(child.pid),

    /** Kills the server, and waits until its process has ended. */
    async close() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

function conversation(child, name, onNotification) {
  const waiting = new Map();
  const chunks = [];
  let complaints = '';
  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const came = (line, arrived) => {
    const message = JSON.parse(line);
    if (message.method !== undefined) return onNotification(message, arrived);
    const { resolve, started } = waiting.get(message.id) ?? {};
    waiting.delete(message.id);
    resolve?.({ message, ms: arrived - started, bytes: line.length });
  };
  child.stdout.on('data', (chunk) => {
    const arrived = performance.now();
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      came(Buffer.concat([...chunks.splice(0), chunk.subarray(from, end + 1)]), arrived);
      from = end + 1;
    }
    chunks.push(chunk.subarray(from));
  });
  child.stderr.setEncoding('utf8').on('data', (text) => (complaints += text));
  child.stdin.on('error', () => undefined);
  child.once('close', () => {
    for (const { reject } of waiting.values()) reject(new Error(`${name} ended: ${complaints}`));
  });
  const request = (message) =>
    new Promise((resolve, reject) => {
      waiting.set(message.id, { resolve, reject, started: performance.now() });
      send(message);
    });
  return { request, send };
}

function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [now, most] = ['VmRSS', 'VmHWM'].map((field) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)[1]) / 1024);
  return { now, most };
}

function sumOf({ own, ofChildren }) {
  return own + ofChildren;
}
