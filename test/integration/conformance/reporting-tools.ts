import { setTimeout } from 'node:timers/promises';

import { RequestContext, Tool } from '@org/mcp-decorators';

/**
 * Milliseconds between two reports, so that a client receives the reports one by one, as the conformance suite
 * requires.
 */
const STEP_MS = 50;

/** Milliseconds between the end of a stream and the result: long enough for a client to notice that its stream was closed. */
const RECONNECTION_MS = 100;

/** Tools that send messages before their result, and a tool whose stream ends before the result. */
export class ReportingTools {
  @Tool({ description: 'Logs three messages' })
  async testToolWithLogging({ log, signal }: RequestContext): Promise<string> {
    log.info('Tool execution started');
    await setTimeout(STEP_MS, undefined, { signal });
    log.info('Tool processing data');
    await setTimeout(STEP_MS, undefined, { signal });
    log.info('Tool execution completed');
    return 'Tool with logging executed successfully';
  }

  @Tool({ description: 'Reports progress three times' })
  async testToolWithProgress(context: RequestContext): Promise<string> {
    context.progress(0, 100);
    await setTimeout(STEP_MS, undefined, { signal: context.signal });
    context.progress(50, 100);
    await setTimeout(STEP_MS, undefined, { signal: context.signal });
    context.progress(100, 100);
    return 'Tool with progress executed successfully';
  }

  @Tool({ description: 'Logs a message' })
  testLoggingTool({ log }: RequestContext): string {
    log.info('Diagnostic message');
    return 'Logging evaluated';
  }

  @Tool({ description: 'Closes its stream before it has a result' })
  async testReconnection({ http, signal }: RequestContext): Promise<string> {
    http?.closeStream();
    await setTimeout(RECONNECTION_MS, undefined, { signal });
    return 'Reconnection test completed successfully';
  }
}
