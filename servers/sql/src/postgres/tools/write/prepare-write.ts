import { staleConfirmation, ToolError, type RequestContext } from '@org/mcp-decorators';

import { limitAffected } from '../../../engine/limits.ts';
import type { CommittedWrite, PreparedWrite, WriteRequest, WriteSink } from '../../../engine/writing.ts';
import type { Connection } from '../../database/connect/connection.ts';
import type { Database } from '../../database/database.ts';
import { translateError } from '../../database/errors/failures.ts';
import { RowStream } from '../../database/protocol/row-stream.ts';
import { toFieldSink } from '../../database/stream.ts';
import type { WriteOptions } from '../../database/writer.ts';
import { requireParsable, requireSendable } from '../../policy/parse/bounds.ts';
import { parseStatement } from '../../policy/parse/parse-statement.ts';
import { SyntaxFailure } from '../../policy/parse/parser.ts';
import { classifyWrite } from './effects/write-kind.ts';
import { runOutsideTransaction } from './outside-transaction.ts';
import { planWrite, readTargetsOn, type PostgresPlan } from './plan-write.ts';
import { observeWrite, requireWriter, type ParsedWrite } from './write-request.ts';

/** Maximum number of notices in a result. */
const MAX_NOTICES = 20;

/**
 * Parses a statement that writes, and decides how it can run.
 *
 * @throws ToolError READ_ONLY if the database may only be read; TOO_LARGE for a text that is too long or too complex;
 * INVALID_ARGUMENTS for several statements, or for a character that PostgreSQL does not accept; SYNTAX; POLICY_DENIED for a
 * kind of statement that `execute` does not run, or for masked columns
 */
export async function prepareWrite(
  database: Database,
  request: WriteRequest,
  context: RequestContext,
): Promise<PreparedWrite<PostgresPlan>> {
  const write = await parseRequest(database, request, context);
  const observe = <Outcome>(work: (options: WriteOptions) => Promise<Outcome>): Promise<Outcome> =>
    observeWrite(database, { ...request, context }, work);
  return {
    plan: () => observe((options) => planWrite(write, options)),
    commit: (plan, sink) => observe((options) => runWrite(write, { plan, sink, options })),
  };
}

async function parseRequest(database: Database, request: WriteRequest, context: RequestContext): Promise<ParsedWrite> {
  const writer = requireWriter(database);
  requireSendable(request.params.join(' '), Number.MAX_SAFE_INTEGER);
  requireSendable(request.sql, database.limits.maxStatementBytes);
  requireParsable(request.sql);
  const { statement, sql } = await parseSoleStatement(request.sql);
  await database.policy.requireUnmaskedWrite(statement, context.signal);
  const kind = classifyWrite(statement);
  if (typeof kind === 'string') return { ...request, text: request.sql, sql, database, writer, statement, kind, context };
  throw new ToolError('POLICY_DENIED', `execute does not run this statement: ${kind.reason}`, {
    hint: kind.hint,
    data: { rule: 'statement', name: statement.kind },
  });
}

async function parseSoleStatement(text: string): Promise<Pick<ParsedWrite, 'statement' | 'sql'>> {
  const { statements, sql } = await parseStatement(text).catch((error: unknown) => {
    throw error instanceof SyntaxFailure ? translateError(error, text) : error;
  });
  const [statement] = statements;
  if (statement !== undefined && statements.length === 1) return { statement, sql };
  throw new ToolError('INVALID_ARGUMENTS', `the text contains ${statements.length} statements; a call accepts one`, {
    hint: 'to make several changes together, write one statement: WITH … or DO',
  });
}

interface Run {
  readonly plan: PostgresPlan;
  readonly sink: WriteSink;
  readonly options: WriteOptions;
}

async function runWrite(write: ParsedWrite, { plan, sink, options }: Run): Promise<CommittedWrite> {
  const { database, sql, text, params, writer, kind } = write;
  const statement = new RowStream({
    sql,
    params,
    kind: 'direct',
    sink: toFieldSink(database, text, sink),
    stop: () => undefined,
  });
  const notices: string[] = [];
  if (kind === 'outsideTransaction') {
    await runOutsideTransaction(write, options, statement);
    await sink.finish();
  } else
    await writer.commit(options, async (connection) => {
      await runCollectingNotices(connection, { write, plan, statement, notices });
      limitAffected(statement.affected, write.maxAffected);
      if (plan.affected !== undefined && statement.affected !== plan.affected)
        throw staleConfirmation('the database', { expected: plan.affected, actual: statement.affected });
      await sink.finish();
    });
  return { command: statement.command, affected: statement.affected, notices };
}

async function runCollectingNotices(
  connection: Connection,
  { write, plan, statement, notices }: { write: ParsedWrite; plan: PostgresPlan; statement: RowStream; notices: string[] },
): Promise<void> {
  const stopListening = connection.onNotice((notice) => notices.length < MAX_NOTICES && notices.push(notice));
  try {
    if (plan.affected === undefined) requireSameTargets(plan, await readTargetsOn(connection, write.statement));
    await connection.read(statement);
  } finally {
    stopListening();
  }
}

function requireSameTargets({ targets }: PostgresPlan, now: PostgresPlan['targets']): void {
  const oids = (list: PostgresPlan['targets']): string => list.map(({ oid }) => oid).join();
  if (oids(targets) !== oids(now)) throw staleConfirmation('the database');
}
