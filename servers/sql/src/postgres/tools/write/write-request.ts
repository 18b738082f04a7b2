import { ToolError, type RequestContext } from '@org/mcp-decorators';

import type { WriteRequest } from '../../../engine/writing.ts';
import { withSuggestions } from '../../../tools/suggestions.ts';
import { readOnlyError } from '../../../tools/write/execute.ts';
import type { Database } from '../../database/database.ts';
import { BackendProgress } from '../../database/progress/backend-progress.ts';
import type { WriteOptions, Writer } from '../../database/writer.ts';
import type { SendableSql } from '../../policy/parse/sendable-sql.ts';
import type { Statement } from '../../policy/parse/syntax-tree.ts';
import type { WriteKind } from './effects/write-kind.ts';

/** A statement that is to change a database, after parsing. */
export interface ParsedWrite extends Omit<WriteRequest, 'sql'> {
  readonly database: Database;
  readonly writer: Writer;
  readonly statement: Statement;
  readonly kind: WriteKind;
  readonly sql: SendableSql;
  /** The statement as the caller wrote it. */
  readonly text: string;
  readonly context: RequestContext;
}

/** Returns the writer of a database. @throws ToolError READ_ONLY if the database may only be read */
export function requireWriter(database: Database): Writer {
  if (database.writer === undefined) throw readOnlyError(database);
  return database.writer;
}

/** A call of a tool that writes. */
export interface WriteCall {
  /** Timeout of the statement, in ms. */
  readonly timeoutMs: number;
  readonly sql: string;
  readonly context: RequestContext;
}

/** Does work that writes, within the time limit of the call, and reports its progress. */
export async function observeWrite<Outcome>(
  database: Database,
  { timeoutMs, sql, context }: WriteCall,
  work: (options: WriteOptions) => Promise<Outcome>,
): Promise<Outcome> {
  using progress = new BackendProgress(context, database);
  return await work({ signal: context.signal, timeoutMs, sql, progress });
}

/**
 * Finds a relation and returns its qualified and quoted name, which is safe to insert into a statement.
 *
 * @throws ToolError UNDEFINED_OBJECT
 */
export async function requireTable(database: Database, name: string, context: RequestContext): Promise<string> {
  return withSuggestions(database, context, async () => {
    const [[found] = []] = await database.rows(QUOTED, [name], context);
    if (typeof found === 'string') return found;
    throw new ToolError('UNDEFINED_OBJECT', `relation "${name}" does not exist`);
  });
}

const QUOTED = `
  select format('%I.%I', n.nspname, c.relname)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = to_regclass($1)`;
