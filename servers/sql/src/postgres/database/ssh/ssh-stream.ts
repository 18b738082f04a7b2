import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { Duplex, type Readable, type Writable } from 'node:stream';

import { SshFailure, sshFailureFrom } from './ssh-failure.ts';

/** How to run ssh for one connection. */
export interface SshCommand {
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Name of the machine that messages show. */
  readonly via: string;
}

type SshProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** A connection through the standard input and output of an ssh process. It has the methods of a socket that pg calls. */
export class SshStream extends Duplex {
  readonly #command: SshCommand;
  #process: SshProcess | undefined;
  #messages = '';
  #wasOpen = false;
  /** Whether ssh did not accept a write. */
  #hasFailedWrite = false;
  #hasClosed = false;

  constructor(command: SshCommand) {
    super({ allowHalfOpen: false });
    this.#command = command;
  }

  /**
   * Starts ssh, and emits `connect` when the process runs. The arguments of ssh contain the address, so this method has no
   * parameters.
   */
  connect(): this {
    const child = spawnSsh(this.#command);
    this.#process = child;
    child.once('spawn', () => this.emit('connect'));
    child.once('error', (error: NodeJS.ErrnoException) => this.destroy(toStartFailure(error)));
    child.once('close', (code) => this.#onEnd(code));
    // A ProxyCommand that outlives ssh keeps the pipes open and delays `close`, so the stream also ends a fixed time after
    // `exit`.
    child.once('exit', (code) => setTimeout(() => this.#onEnd(code), PIPES_MS).unref());
    child.stdin.on('error', () => (this.#hasFailedWrite = true));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#messages = (this.#messages + text).slice(-MAX_MESSAGES);
    });
    child.stdout.on('data', (chunk: Buffer) => {
      this.#wasOpen = true;
      if (!this.push(chunk)) child.stdout.pause();
    });
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  /** Does nothing, because ssh sends its own keep-alive messages. */
  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    this.#process?.ref();
    return this;
  }

  unref(): this {
    this.#process?.unref();
    return this;
  }

  override _read(): void {
    this.#process?.stdout.resume();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    // If ssh has ended, its messages explain the reason, and the event `close` reports the failure.
    // Between its events `exit` and `close`, the process has destroyed its input, which then reports errors only here.
    this.#process?.stdin.write(chunk, (error) => {
      if (error) this.#hasFailedWrite = true;
      done();
    });
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#process?.stdin.end();
    done();
  }

  /** Closes the pipes. The watchdog then ends ssh, except on Windows, where this process ends ssh. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const child = this.#process;
    for (const pipe of child?.stdio ?? []) pipe?.destroy();
    if (process.platform === 'win32') child?.kill();
    if (child?.pid === undefined || this.#hasClosed) return done(error);
    // The stream is closed only when ssh has ended, so that no process outlives the server.
    child.once('close', () => done(error));
  }

  #onEnd(code: number | null): void {
    if (this.#hasClosed) return;
    this.#hasClosed = true;
    if (code === 0) this.push(null);
    else
      this.destroy(
        sshFailureFrom(this.#messages, {
          via: this.#command.via,
          wasOpen: this.#wasOpen,
          code: this.#hasFailedWrite ? 'EPIPE' : undefined,
        }),
      );
  }
}

/**
 * Runs ssh until ssh ends, or until descriptor 3 closes, even by SIGKILL of this process. Without this script, ssh would wait for a
 * database that does not close its side. A shell gives a background command an empty standard input, hence descriptor 4.
 */
const WATCHDOG = `
exec 4<&0
ssh "$@" <&4 4<&- 3<&- & ssh=$!
{ read -r _ <&3; kill "$ssh"; } </dev/null >/dev/null 2>&1 4<&- & watch=$!
exec <&- >&- 3<&- 4<&-
wait "$ssh"; status=$?
kill "$watch" 2>/dev/null
exit "$status"
`;

function spawnSsh({ arguments: args, env }: SshCommand): SshProcess {
  // With its own session, ssh has no terminal for questions, and Ctrl-C reaches only this process, which then closes the connections.
  const options = { env: { ...env }, detached: true, windowsHide: true };
  if (process.platform === 'win32') return spawn('ssh', args, { ...options, detached: false, stdio: ['pipe', 'pipe', 'pipe'] });
  const child = spawn('/bin/sh', ['-c', WATCHDOG, 'mcp-sql-ssh', ...args], {
    ...options,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new TypeError('a process was started without its pipes');
  child.stdio[3]?.on('error', ignore);
  return Object.assign(child, { stdin, stdout, stderr });
}

function toStartFailure(error: NodeJS.ErrnoException): SshFailure {
  return new SshFailure(`the program ssh cannot be started: ${error.code ?? error.message}`, 'missing', { cause: error });
}

function ignore(): void {
  // The error is ignored, because the failure that is reported is the end of ssh, with the messages of ssh.
}

const MAX_MESSAGES = 8192;
/** Time for the last data and messages of ssh to arrive after its end. */
const PIPES_MS = 1000;
