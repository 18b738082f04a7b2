import type { RequestContext } from '@org/mcp-decorators';

import type { StreamedStatement, StreamSink } from '../../engine/reading.ts';
import { WholeValues } from '../../rows/whole-values.ts';
import { requireAffordable } from './cost.ts';
import type { Database } from './database.ts';
import type { ReadOnlyWork } from './query/read-only-database.ts';
import { RowStream, type FieldSink, type StreamRequest } from './protocol/row-stream.ts';
import { QueryProgress } from './progress/query-progress.ts';
import { findReported, listMaskNotices, read } from './read.ts';
import { getReadKind } from './read-kind.ts';

/**
 * Runs one statement that reads, and passes all its rows to the sink as fast as the sink accepts the rows.
 *
 * @throws errors of `read` and of the sink
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
  const admitted = { ...statement, sql: await database.policy.admit({ ...statement, signal: ending }) };
  const found = getReadKind(admitted.sql);
  if (found === 'parsed') return await rejectWrite(database, statement, context);
  const kind = statement.asCsv === true && found === 'wrapped' && statement.params.length === 0 ? 'copied' : 'direct';
  const reported = { timeoutMs: statement.timeoutMs, ...findReported(statement.sql, admitted.sql) };
  for (const notice of listMaskNotices(admitted.sql)) sink.notice(notice);
  await database.readOnly({ ...reported, signal: ending }, async (work) => {
    progress.begin(work.connection.processId, { ...admitted, maxRows: Number.MAX_SAFE_INTEGER });
    if (maxCost !== undefined) await requireAffordable(work.connection, admitted, maxCost);
    const counted = countRows(toFieldSink(database, statement.sql, sink), progress);
    await run({ ...admitted, kind, sink: counted, stop: work.interrupt }, work, ending);
  });
}

async function run(request: StreamRequest, work: ReadOnlyWork, ending: AbortSignal): Promise<void> {
  const stream = new RowStream(request);
  const stopListening = work.connection.onNotice((notice) => request.sink.notice(notice));
  const discard = (): void => stream.discard(ending.reason);
  ending.addEventListener('abort', discard);
  try {
    await work.connection.finish(stream);
  } catch (error) {
    if (stream.discarded === undefined && !stream.cannotBeWrapped) throw error;
  } finally {
    stopListening();
    ending.removeEventListener('abort', discard);
  }
  if (stream.discarded !== undefined) throw stream.discarded.reason;
  if (stream.cannotBeWrapped) await run({ ...request, kind: 'direct' }, work, ending);
}

/** Rejects a statement that does not read, with the same error as `read`. */
async function rejectWrite(
  database: Database,
  statement: Omit<StreamedStatement, 'signal'>,
  context: RequestContext,
): Promise<void> {
  await read(database, { ...statement, maxRows: 1, page: new WholeValues() }, context);
}

function countRows(sink: FieldSink, progress: QueryProgress): FieldSink {
  return {
    get busy() {
      return sink.busy;
    },
    columns: (fields) => sink.columns(fields),
    rows(messages, count) {
      sink.rows(messages, count);
      progress.addRows(count, messages.length);
    },
    line(bytes) {
      sink.line(bytes);
      progress.addRows(1, bytes.length);
    },
    notice: (text) => sink.notice(text),
  };
}

/** Returns a sink for a stream of the protocol, which passes everything to the sink of a caller. */
export function toFieldSink({ columnTypes }: Database, sql: string, sink: StreamSink): FieldSink {
  return {
    get busy() {
      return sink.busy;
    },
    columns: (fields) => sink.columns(columnTypes.createHeader(fields, sql)),
    rows: (messages, count) => sink.rows(messages, count),
    line: (bytes) => sink.line(bytes),
    notice: (text) => sink.notice(text),
  };
}
