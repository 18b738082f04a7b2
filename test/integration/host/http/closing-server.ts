import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { McpServer, RequestContext, Resource, Tool } from '@org/mcp-decorators';

export const NOTE = 'note:///one';

/**
 * A server whose tool `hold` runs until a line arrives on standard input. The server reports calls, cancellations and releases on
 * stderr.
 */
@McpServer({ name: 'closing', version: '1.0.0' })
export class ClosingServer {
  readonly #released: Promise<unknown> = once(createInterface(process.stdin), 'line');
  #child: ChildProcess | undefined;

  open(): void {
    this.#child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  }

  @Tool({ description: 'Reports that the server has started' })
  child(): string {
    return String(this.#child?.pid);
  }

  @Tool({ description: 'Ends on request, or when it is cancelled' })
  async hold({ signal }: RequestContext): Promise<string> {
    process.stderr.write('held\n');
    signal.addEventListener('abort', () => process.stderr.write('aborted\n'));
    await this.#released;
    return 'let go';
  }

  @Resource({ uri: NOTE, description: 'A note' })
  note(): string {
    return 'one';
  }

  watch(): Promise<AsyncDisposable> {
    return Promise.resolve({
      [Symbol.asyncDispose]: () => {
        process.stderr.write('not watched any more\n');
        return Promise.resolve();
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const closed = once(child, 'close');
    child.kill();
    await closed;
    process.stdin.destroy();
    process.stderr.write('disposed\n');
  }
}
