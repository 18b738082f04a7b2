import { ToolError } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';
import type { ReadStatement } from '../database/read-statement.ts';
import { WriteStatement } from '../database/write-statement.ts';
import { SendableSql } from '../policy/sendable-sql.ts';
import type { WriteOptions } from '../database/writer.ts';
import { targetsOf } from '../write/targets.ts';
import type { Write } from './plan-write.ts';

/** Indexes that are of no use; one that is being built by somebody else is none of them. */
const INVALID = `
  select i.indexrelid, i.indexrelid::regclass
  from json_array_elements_text($1::json) name
    join pg_index i on to_regclass(name) in (i.indrelid, i.indexrelid)
      or i.indrelid = (select o.indrelid from pg_index o where o.indexrelid = to_regclass(name))
  where not i.indisvalid and not exists (select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid)`;

const CLEANUP_MS = 10_000;

/**
 * Runs a statement outside of transactions. An index that is left unfinished, because it was cancelled or failed, is dropped.
 *
 * @throws ToolError those of `Writer.alone`
 */
export async function runAlone(write: Write, options: WriteOptions, statement: ReadStatement): Promise<void> {
  const { writer, database, statement: parsed } = write;
  if (parsed.kind !== 'IndexStmt' && parsed.kind !== 'ReindexStmt') return writer.alone(options, statement);
  const before = new Set((await invalidIndexes(write)).map(([oid]) => oid));
  try {
    await writer.alone(options, statement);
  } catch (error) {
    const left = (await invalidIndexes(write).catch(() => [])).filter(([oid]) => !before.has(oid));
    const names = left.map(([, name]) => name ?? '');
    const kept: string[] = [];
    for (const name of names) if (!(await dropped(write, options, name))) kept.push(name);
    throw kept.length === 0 ? error : leaving(error, kept, database);
  }
}

// The call may be cancelled already: what it leaves is looked up for all that.
function invalidIndexes({ database, statement }: Write): Promise<readonly (readonly (string | null)[])[]> {
  return database.rows(INVALID, [JSON.stringify(targetsOf(statement))], { signal: AbortSignal.timeout(CLEANUP_MS) });
}

async function dropped({ writer }: Write, options: WriteOptions, name: string): Promise<boolean> {
  const sql = `DROP INDEX CONCURRENTLY IF EXISTS ${name}`;
  const statement = new WriteStatement({ sql: SendableSql.own(sql), params: [], onRow: () => undefined });
  const cleaning = { ...options, sql, signal: AbortSignal.timeout(CLEANUP_MS), timeoutMs: CLEANUP_MS };
  return writer.alone(cleaning, statement).then(
    () => true,
    () => false,
  );
}

function leaving(error: unknown, names: readonly string[], { id }: Database): unknown {
  if (!ToolError.is(error)) return error;
  const { code, message, data, cause } = error;
  return new ToolError(code, message, {
    cause,
    hint: `an index of no use is left in ${id}: DROP INDEX ${names.join(', ')}`,
    data: { ...data, left: names },
  });
}
