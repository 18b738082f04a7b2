import type { RequestContext } from '@org/mcp-decorators';

import { WholeValues } from '../rows/whole-values.ts';
import type { Database, ReadOnlyWork } from './database.ts';
import { PushStream, type StreamRequest, type StreamSink } from './push-stream.ts';
import { QueryProgress } from './query-progress.ts';
import { read } from './read.ts';
import { readKind } from './read-kind.ts';

/** One statement of a user whose rows are all wanted. */
export interface StreamedStatement {
  readonly sql: string;
  readonly params: readonly (string | null)[];
  readonly timeoutMs: number;
  /** Let PostgreSQL write CSV where it can; the sink gets lines then. */
  readonly asCsv?: boolean;
  /** Ends it. Default: the call's. */
  readonly signal?: AbortSignal;
}

/**
 * Runs one statement that reads and gives all its rows to the sink, as fast as that takes them.
 *
 * @throws ToolError those of `read`; and what the sink throws
 */
export async function stream(
  database: Database,
  { signal, ...statement }: StreamedStatement,
  sink: StreamSink,
  context: RequestContext,
): Promise<void> {
  const kind = readKind(statement.sql);
  if (kind === 'parsed') return refuse(database, statement, context);
  const copy = statement.asCsv === true && kind === 'wrapped' && statement.params.length === 0;
  const ending = signal ?? context.signal;
  await database.readOnly({ ...statement, signal: ending }, async (work) => {
    const observed = { ...statement, processId: work.connection.processId, maxRows: Number.MAX_SAFE_INTEGER };
    using progress = new QueryProgress(context, database.source, observed);
    const request = { ...statement, copy, sink: counted(sink, progress), stop: work.interrupt };
    if (await run(request, work, ending)) return;
    await work.connection.restart(statement.timeoutMs);
    await run({ ...request, copy: false }, work, ending);
  });
}

/** Whether it ran: what stands alone but not in parentheses cannot be copied. */
async function run(request: StreamRequest, { connection }: ReadOnlyWork, ending: AbortSignal): Promise<boolean> {
  const stream = new PushStream(request);
  const stopListening = connection.onNotice((notice) => request.sink.notice(notice));
  const discard = (): void => stream.discard(ending.reason);
  ending.addEventListener('abort', discard);
  try {
    await connection.read(stream);
    return true;
  } catch (error) {
    if (!stream.cannotBeCopied) throw error;
    return false;
  } finally {
    stopListening();
    ending.removeEventListener('abort', discard);
  }
}

/** What does not read is refused in the words of `read`. */
async function refuse(database: Database, statement: Omit<StreamedStatement, 'signal'>, context: RequestContext): Promise<void> {
  await read(database, { ...statement, maxRows: 1, page: new WholeValues() }, context);
}

function counted(sink: StreamSink, progress: QueryProgress): StreamSink {
  return {
    get busy() {
      return sink.busy;
    },
    columns: (fields) => sink.columns(fields),
    row(row, bytes) {
      sink.row(row, bytes);
      progress.row();
    },
    line(bytes) {
      sink.line(bytes);
      progress.row();
    },
    notice: (text) => sink.notice(text),
  };
}
