import type { RequestContext } from '@org/mcp-decorators';

import { WholeValues } from '../rows/whole-values.ts';
import { requireAffordable } from './cost.ts';
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
  const ending = signal ?? context.signal;
  const { maxCost } = database.limits;
  using progress = new QueryProgress(context, database);
  const admitted = { ...statement, sql: await database.policy.admit(database, { ...statement, signal: ending }) };
  const found = readKind(admitted.sql);
  if (found === 'parsed') return await refuse(database, statement, context);
  const kind = statement.asCsv === true && found === 'wrapped' && statement.params.length === 0 ? 'copied' : 'direct';
  await database.readOnly({ ...statement, signal: ending }, async (work) => {
    progress.begin(work.connection.processId, { ...admitted, maxRows: Number.MAX_SAFE_INTEGER });
    if (maxCost !== undefined) await requireAffordable(work.connection, admitted, maxCost);
    await run({ ...admitted, kind, sink: counted(sink, progress), stop: work.interrupt }, work, ending);
  });
}

async function run(request: StreamRequest, work: ReadOnlyWork, ending: AbortSignal): Promise<void> {
  const stream = new PushStream(request);
  const stopListening = work.connection.onNotice((notice) => request.sink.notice(notice));
  const discard = (): void => stream.discard(ending.reason);
  ending.addEventListener('abort', discard);
  try {
    await work.connection.finish(stream);
  } catch (error) {
    if (stream.over === undefined && !stream.cannotBeWrapped) throw error;
  } finally {
    stopListening();
    ending.removeEventListener('abort', discard);
  }
  if (stream.over !== undefined) throw stream.over.reason;
  if (stream.cannotBeWrapped) await run({ ...request, kind: 'direct' }, work, ending);
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
    rows(messages, count) {
      sink.rows(messages, count);
      progress.read(count, messages.length);
    },
    line(bytes) {
      sink.line(bytes);
      progress.read(1, bytes.length);
    },
    notice: (text) => sink.notice(text),
  };
}
