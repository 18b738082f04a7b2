import { ToolError } from '@org/mcp-decorators';

import type { Database } from '../../database/database.ts';
import type { ReadStatement } from '../../database/protocol/read-statement.ts';
import { WriteStatement } from '../../database/protocol/write-statement.ts';
import { SendableSql } from '../../policy/parse/sendable-sql.ts';
import type { WriteOptions } from '../../database/writer.ts';
import { findTargets } from './effects/targets.ts';
import type { ParsedWrite } from './write-request.ts';

/** Query of the invalid indexes of the named relations. Excludes indexes that a session is building. */
const INVALID = `
  select i.indexrelid, i.indexrelid::regclass
  from json_array_elements_text($1::json) name
    join pg_index i on to_regclass(name) in (i.indrelid, i.indexrelid)
      or i.indrelid = (select o.indrelid from pg_index o where o.indexrelid = to_regclass(name))
  where not i.indisvalid and not exists (select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid)`;

const CLEANUP_MS = 10_000;

/**
 * Runs a statement outside of a transaction. If a CREATE INDEX or REINDEX is cancelled or fails, the invalid indexes that it
 * leaves are dropped.
 *
 * @throws ToolError errors of `Writer.outsideTransaction`. The hint names an invalid index that could not be dropped
 */
export async function runOutsideTransaction(write: ParsedWrite, options: WriteOptions, statement: ReadStatement): Promise<void> {
  const { writer, database, statement: parsed } = write;
  if (parsed.kind !== 'IndexStmt' && parsed.kind !== 'ReindexStmt') return writer.outsideTransaction(options, statement);
  const before = new Set((await listInvalidIndexes(write)).map(([oid]) => oid));
  try {
    await writer.outsideTransaction(options, statement);
  } catch (error) {
    const left = (await listInvalidIndexes(write).catch(() => [])).filter(([oid]) => !before.has(oid));
    const names = left.map(([, name]) => name ?? '');
    const kept: string[] = [];
    for (const name of names) if (!(await dropIndex(write, options, name))) kept.push(name);
    throw kept.length === 0 ? error : leftIndexError(error, kept, database);
  }
}

// The lookup has its own signal, because the signal of the call may be aborted already.
function listInvalidIndexes({ database, statement }: ParsedWrite): Promise<readonly (readonly (string | null)[])[]> {
  return database.rows(INVALID, [JSON.stringify(findTargets(statement))], { signal: AbortSignal.timeout(CLEANUP_MS) });
}

async function dropIndex({ writer }: ParsedWrite, options: WriteOptions, name: string): Promise<boolean> {
  const sql = `DROP INDEX CONCURRENTLY IF EXISTS ${name}`;
  const statement = new WriteStatement({ sql: SendableSql.own(sql), params: [], onRow: () => undefined });
  const cleaning = { ...options, sql, signal: AbortSignal.timeout(CLEANUP_MS), timeoutMs: CLEANUP_MS };
  return writer.outsideTransaction(cleaning, statement).then(
    () => true,
    () => false,
  );
}

function leftIndexError(error: unknown, names: readonly string[], { id }: Database): unknown {
  if (!ToolError.is(error)) return error;
  const { code, message, data, cause } = error;
  return new ToolError(code, message, {
    cause,
    hint: `invalid indexes remain in the database ${id}; remove them with: DROP INDEX ${names.join(', ')}`,
    data: { ...data, left: names },
  });
}
