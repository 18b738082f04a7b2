import { once } from 'node:events';

import { Field, McpServer, RequestContext, Resource, Tool } from '@org/mcp-decorators';
import { IsBoolean } from 'class-validator';

class Consent {
  @Field('Whether to go on') @IsBoolean() ok!: boolean;
}

export const NOTE = 'note:///shared';

let cancelled = 0;

/** A server that shows in which process a call runs, and whose list of tools has three pages. */
@McpServer({ name: 'several', version: '1.0.0', pageSize: 2 })
export class SeveralServer {
  @Tool({ description: 'Return the id of the process', annotations: { readOnlyHint: true } })
  whereAmI(): string {
    return String(process.pid);
  }

  @Tool({ description: 'Asks first' })
  async confirm(context: RequestContext): Promise<string> {
    const { action } = await context.elicit('consent', 'Go on?', Consent);
    return `${action} in ${process.pid}`;
  }

  @Tool({ description: 'Changes the note' })
  change(context: RequestContext): string {
    context.resourceUpdated(NOTE);
    context.listChanged('tools');
    return String(process.pid);
  }

  @Tool({ description: 'Waits until it is cancelled' })
  async wait(context: RequestContext): Promise<string> {
    context.log.info(`waiting in ${process.pid}`);
    await once(context.signal, 'abort');
    cancelled += 1;
    return 'cancelled';
  }

  @Tool({ description: 'Logs a message, and returns the number of cancelled calls' })
  log(context: RequestContext): string {
    context.log.info(`logged in ${process.pid}`);
    return String(cancelled);
  }

  @Resource({ uri: NOTE, description: 'Text that all processes share' })
  note(): string {
    return 'shared';
  }

  /** Starts no watcher: the note never changes, and the tool `change` sends its notifications. */
  watch(): Promise<AsyncDisposable> {
    return Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() });
  }
}
