import type { ChildProcess } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { Socket } from 'node:net';

import { ToolError } from '@org/mcp-decorators';

import { ObjectAnswers, type ObjectQuestion, type StoredObject } from './parse/object-answers.ts';
import { notStarted, signalGroup } from './process-group.ts';

/** How long a reader waits for the next question before its process ends. */
const IDLE_MS = 30_000;
/** git keeps every commit that it came past: after so many answers its memory is given back. */
const MAX_ANSWERS = 10_000;

interface Question extends ObjectQuestion {
  readonly settle: (found: StoredObject | undefined) => void;
  readonly fail: (reason: unknown) => void;
  /** A process was killed by something while this was what it looked for. */
  hasFailed: boolean;
}

/**
 * One `git cat-file --batch-command -z --buffer`, which answers many questions of many calls, started when the first is asked.
 *
 * Questions that come while others are being answered go out together, after them. One that is taken back ends the process, because git may be busy with
 * it for long, and the others are asked again of a new one; so they are once if something else kills the process. It ends after
 * 30 s without a question, never keeps the server alive by itself, and sees objects and references that come while it runs.
 */
export class ObjectReader {
  readonly #start: () => ChildProcess;
  /** Unanswered, in the order in which git will answer. */
  #questions: Question[] = [];
  /** As many of them as were written to the process. */
  #sent = 0;
  #child: ChildProcess | undefined;
  #answers = new ObjectAnswers();
  /** As many as the process has given. */
  #given = 0;
  #isFlushing = false;
  #isRetired = false;
  #idle: NodeJS.Timeout | undefined;

  /** @param start a new process with pipes for stdin and stdout */
  constructor(start: () => ChildProcess) {
    this.#start = start;
  }

  /** No question is open. */
  get isIdle(): boolean {
    return this.#questions.length === 0;
  }

  /**
   * Asks for an object, or for what it is.
   *
   * @param name any expression that names an object, without NUL
   * @throws ToolError GIT_FAILED where git cannot tell, GIT_NOT_FOUND; the signal's reason
   */
  async ask(command: Question['command'], name: Buffer, signal: AbortSignal): Promise<StoredObject | undefined> {
    signal.throwIfAborted();
    if (name.length === 0 || name.includes(0)) return undefined;
    let takeBack = (): void => undefined;
    const answer = new Promise<StoredObject | undefined>((settle, fail) => {
      const question = { command, name, settle, fail, hasFailed: false };
      takeBack = () => this.#takeBack(question, signal.reason);
      this.#questions.push(question);
    });
    // One call may ask for hundreds of objects at once.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', takeBack, { once: true });
    this.#flushSoon();
    return answer.finally(() => signal.removeEventListener('abort', takeBack));
  }

  /** Ends the process as soon as no question is open. */
  retire(): void {
    this.#isRetired = true;
    if (this.isIdle) this.#stop();
  }

  /** Ends the process; open questions fail. */
  end(): void {
    const open = this.#questions;
    this.#questions = [];
    this.#stop();
    for (const { fail } of open) fail(new ToolError('GIT_FAILED', 'the repository is no longer read'));
  }

  #takeBack(question: Question, reason: unknown): void {
    const position = this.#questions.indexOf(question);
    if (position === -1) return;
    this.#questions.splice(position, 1);
    question.fail(reason);
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
    const unsent = this.#sent === 0 ? this.#questions : [];
    if (unsent.length === 0) return;
    clearTimeout(this.#idle);
    this.#child ??= this.#begin();
    keepAlive(this.#child, true);
    this.#sent = this.#questions.length;
    const end = Buffer.of(0);
    const asked = unsent.flatMap(({ command, name }) => [Buffer.from(`${command} `), name, end]);
    this.#child.stdin?.write(Buffer.concat([...asked, Buffer.from('flush\0')]));
  }

  #begin(): ChildProcess {
    const child = this.#start();
    // It may end before it has read what is written.
    child.stdin?.on('error', () => undefined);
    child.stdout?.on('data', (chunk: Buffer) => {
      if (child === this.#child) this.#collect(chunk);
    });
    child.once('error', (error) => this.#lost(child, notStarted(error), false));
    child.once('close', (code, signal) => {
      const reason = new ToolError('GIT_FAILED', `git could not read the object: it ended with ${signal ?? code}`);
      this.#lost(child, reason, signal !== null);
    });
    return child;
  }

  #collect(chunk: Buffer): void {
    this.#answers.feed(chunk);
    for (let [first] = this.#questions; this.#sent > 0 && first !== undefined; [first] = this.#questions) {
      const answer = this.#answers.take(first);
      if (answer === 'later') return;
      if (answer === 'wrong') return this.#mixedUp();
      this.#questions.shift();
      this.#sent -= 1;
      this.#given += 1;
      first.settle(answer.object);
    }
    if (this.#given >= MAX_ANSWERS) this.#stop();
    if (this.isIdle) this.#rest();
    else this.#flushSoon();
  }

  /** git said what answers nothing that was asked: nothing more of it is believed. */
  #mixedUp(): void {
    const asked = this.#questions.splice(0, this.#sent);
    this.#stop();
    for (const { fail } of asked) fail(new ToolError('GIT_FAILED', 'git gave an answer that cannot be read'));
    if (!this.isIdle) this.#flushSoon();
  }

  /** Who was being answered fails: at once where git gave up by itself, the second time where something killed it. */
  #lost(child: ChildProcess, reason: ToolError, wasKilled: boolean): void {
    if (child !== this.#child) return;
    this.#stop();
    const [first] = this.#questions;
    if (first === undefined) return;
    if (wasKilled && !first.hasFailed) first.hasFailed = true;
    else {
      this.#questions.shift();
      first.fail(reason);
    }
    if (!this.isIdle) this.#flushSoon();
  }

  #rest(): void {
    if (this.#isRetired) return this.#stop();
    if (this.#child === undefined) return;
    keepAlive(this.#child, false);
    this.#idle = setTimeout(() => this.#stop(), IDLE_MS).unref();
  }

  #stop(): void {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    this.#answers = new ObjectAnswers();
    this.#given = 0;
    this.#sent = 0;
    if (child === undefined) return;
    keepAlive(child, false);
    child.stdin?.destroy();
    child.stdout?.destroy();
    signalGroup(child, 'SIGKILL');
  }
}

/** Whether the process of the server waits for this one. */
function keepAlive(child: ChildProcess, isNeeded: boolean): void {
  const pipes = [child.stdin, child.stdout].filter((pipe) => pipe instanceof Socket);
  for (const part of [child, ...pipes]) {
    if (isNeeded) part.ref();
    else part.unref();
  }
}
