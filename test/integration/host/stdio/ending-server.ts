import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

import { McpServer, RequestContext, Resource, Tool, type ResourceWatcher } from '@org/mcp-decorators';

/** A server with calls in flight when it receives a signal; it reports on stderr how the calls ended. */
@McpServer({ name: 'ending', version: '1.0.0' })
export class EndingServer implements ResourceWatcher {
  @Tool({ description: 'Finish after the process was asked to end' }) async finish({ log }: RequestContext): Promise<string> {
    const asked = Promise.race([once(process, 'SIGTERM'), once(process.stdin, 'end')]);
    log.info('begun');
    await asked;
    await new Promise((resolve) => setImmediate(resolve));
    return 'finished';
  }
  @Tool({ description: 'Take a second and a half' }) async linger({ signal }: RequestContext): Promise<string> {
    await pause(1500, undefined, { signal });
    return 'lingered';
  }
  @Tool({ description: 'Wait until it is cancelled' }) async obey({ log, signal }: RequestContext): Promise<void> {
    log.info('begun');
    await once(signal, 'abort');
    say('aborted');
  }
  @Tool({ description: 'Never end' }) async ignore({ log }: RequestContext): Promise<void> {
    log.info('begun');
    await new Promise(() => setInterval(() => undefined, 1000));
  }
  @Tool({ description: 'Wait for a process of its own, which ends with the call' }) async spawn(
    context: RequestContext,
  ): Promise<void> {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { signal: context.signal });
    child.on('error', () => undefined);
    await once(child, 'spawn');
    context.log.info(String(child.pid));
    await once(child, 'close');
  }
  @Tool({ description: 'Ask the user' }) async ask(context: RequestContext): Promise<string> {
    return (await context.elicit('name', 'Who?', { type: 'object', properties: { name: { type: 'string' } } })).action;
  }
  @Tool({ description: 'Answer with 4 MiB, as from a file' }) async large(): Promise<string> {
    await stat('.');
    return 'x'.repeat(4 * 1024 * 1024);
  }
  @Resource({ uri: 'note://here', description: 'A note' }) note(): string {
    return 'noted';
  }

  watch(): Promise<AsyncDisposable> {
    return Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve(say('unwatched')) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    say('disposed');
    await Promise.resolve();
  }
}

function say(what: string): void {
  process.stderr.write(`${what}\n`);
}
