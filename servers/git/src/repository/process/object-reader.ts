import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

import { ToolError } from '@org/mcp-decorators';

import { ObjectResponses, type ObjectRequest, type StoredObject } from '../parse/object-responses.ts';
import { signalGroup, startError } from './run-process.ts';

/** Time without a request after which the process ends, in milliseconds. */
const IDLE_MS = 30_000;
/** After this number of responses, the process is replaced to free memory, because git caches every commit that it reads. */
const MAX_RESPONSES = 10_000;

interface PendingRequest extends ObjectRequest {
  readonly settle: (found: StoredObject | undefined) => void;
  readonly fail: (reason: unknown) => void;
  /** Whether another program has already killed a process that was working on this request. */
  hasFailed: boolean;
}

/**
 * Reads objects for many calls through one `git cat-file --batch-command -z --buffer`, which starts with the first request.
 *
 * Requests that arrive while git works on sent requests are sent together after the responses to these. Cancelling a sent request
 * ends the process, because git may need a long time for the request. The other requests are sent again to a new process. If
 * another program kills the process, all pending requests are sent again, but the oldest request fails if this happens to it a
 * second time.
 *
 * An idle process does not keep the server running, and ends after 30 s. The process finds objects and references that are
 * created while it runs.
 */
export class ObjectReader {
  readonly #start: () => ChildProcess;
  /** Pending requests, in the order in which git will respond. */
  #requests: PendingRequest[] = [];
  /** Number of pending requests that were sent to the process. */
  #sent = 0;
  #child: ChildProcess | undefined;
  #responses = new ObjectResponses();
  /** Number of responses from the current process. */
  #answered = 0;
  #isFlushing = false;
  #isRetired = false;
  #idleTimer: NodeJS.Timeout | undefined;

  /** @param start starts a process with pipes for stdin and stdout */
  constructor(start: () => ChildProcess) {
    this.#start = start;
  }

  /** Whether no request is pending. */
  get isIdle(): boolean {
    return this.#requests.length === 0;
  }

  /**
   * Requests an object, or only its type and size. Resolves to `undefined` if the object does not exist.
   *
   * @param name any expression for an object; an empty text, or a text with NUL, names no object
   * @throws ToolError GIT_FAILED if git cannot resolve the name or read the object, or if the reader is closed; GIT_NOT_FOUND;
   * the signal's reason
   */
  async request(command: PendingRequest['command'], name: Buffer, signal: AbortSignal): Promise<StoredObject | undefined> {
    signal.throwIfAborted();
    if (name.length === 0 || name.includes(0)) return undefined;
    let cancel = (): void => undefined;
    const answer = new Promise<StoredObject | undefined>((settle, fail) => {
      const request = { command, name, settle, fail, hasFailed: false };
      cancel = () => this.#cancel(request, signal.reason);
      this.#requests.push(request);
    });
    signal.addEventListener('abort', cancel, { once: true });
    this.#flushSoon();
    return answer.finally(() => signal.removeEventListener('abort', cancel));
  }

  /** Ends the process as soon as no request is pending. */
  retire(): void {
    this.#isRetired = true;
    if (this.isIdle) this.#stop();
  }

  /** Ends the process. Pending requests fail. */
  close(): void {
    const open = this.#requests;
    this.#requests = [];
    this.#stop();
    for (const { fail } of open) fail(new ToolError('GIT_FAILED', 'the object reader of the repository was closed'));
  }

  #cancel(request: PendingRequest, reason: unknown): void {
    const position = this.#requests.indexOf(request);
    if (position === -1) return;
    this.#requests.splice(position, 1);
    request.fail(reason);
    if (position >= this.#sent) return;
    this.#stop();
    if (!this.isIdle) this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    queueMicrotask(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    const unsent = this.#sent === 0 ? this.#requests : [];
    if (unsent.length === 0) return;
    clearTimeout(this.#idleTimer);
    this.#child ??= this.#startProcess();
    setReferenced(this.#child, true);
    this.#sent = this.#requests.length;
    const end = Buffer.of(0);
    const asked = unsent.flatMap(({ command, name }) => [Buffer.from(`${command} `), name, end]);
    this.#child.stdin?.write(Buffer.concat([...asked, Buffer.from('flush\0')]));
  }

  #startProcess(): ChildProcess {
    const child = this.#start();
    // If the process ends before it has read all of its input, writing to stdin fails. The handlers below report the end.
    child.stdin?.on('error', () => undefined);
    child.stdout?.on('data', (chunk: Buffer) => {
      if (child === this.#child) this.#collect(chunk);
    });
    child.once('error', (error) => this.#handleEnd(child, startError(error), false));
    child.once('close', (code, signal) => {
      const reason = new ToolError('GIT_FAILED', `git could not read the object: the process ended with ${signal ?? code}`);
      this.#handleEnd(child, reason, signal !== null);
    });
    return child;
  }

  #collect(chunk: Buffer): void {
    this.#responses.feed(chunk);
    for (let [first] = this.#requests; this.#sent > 0 && first !== undefined; [first] = this.#requests) {
      const answer = this.#responses.take(first);
      if (answer === 'later') return;
      if (answer === 'wrong') return this.#failSent();
      this.#requests.shift();
      this.#sent -= 1;
      this.#answered += 1;
      first.settle(answer.object);
    }
    if (this.#answered >= MAX_RESPONSES) this.#stop();
    if (this.isIdle) this.#startIdleTimer();
    else this.#flushSoon();
  }

  /** Rejects all sent requests after an unexpected response, because the output after such a response cannot be trusted. */
  #failSent(): void {
    const asked = this.#requests.splice(0, this.#sent);
    this.#stop();
    for (const { fail } of asked) fail(new ToolError('GIT_FAILED', 'git wrote an unexpected response'));
    if (!this.isIdle) this.#flushSoon();
  }

  /** Rejects the oldest request if git did not start, ended by itself, or was killed for the second time during this request. */
  #handleEnd(child: ChildProcess, reason: ToolError, wasKilled: boolean): void {
    if (child !== this.#child) return;
    this.#stop();
    const [first] = this.#requests;
    if (first === undefined) return;
    if (wasKilled && !first.hasFailed) first.hasFailed = true;
    else {
      this.#requests.shift();
      first.fail(reason);
    }
    if (!this.isIdle) this.#flushSoon();
  }

  #startIdleTimer(): void {
    if (this.#isRetired) return this.#stop();
    if (this.#child === undefined) return;
    setReferenced(this.#child, false);
    this.#idleTimer = setTimeout(() => this.#stop(), IDLE_MS).unref();
  }

  #stop(): void {
    clearTimeout(this.#idleTimer);
    const child = this.#child;
    this.#child = undefined;
    this.#responses = new ObjectResponses();
    this.#answered = 0;
    this.#sent = 0;
    if (child === undefined) return;
    setReferenced(child, false);
    child.stdin?.destroy();
    child.stdout?.destroy();
    signalGroup(child, 'SIGKILL');
  }
}

/** Sets whether the child process keeps the event loop of the server running. */
function setReferenced(child: ChildProcess, isNeeded: boolean): void {
  const pipes = [child.stdin, child.stdout].filter((pipe) => pipe instanceof Socket);
  for (const part of [child, ...pipes]) {
    if (isNeeded) part.ref();
    else part.unref();
  }
}
