import { ToolError, type RequestContext } from '@org/mcp-decorators';

import { BackendProgress } from '../../database/progress/backend-progress.ts';
import type { Database } from '../../database/database.ts';
import type { WriteOptions, Writer } from '../../database/writer.ts';
import type { SendableSql } from '../../policy/parse/sendable-sql.ts';
import type { Statement } from '../../policy/parse/syntax-tree.ts';
import type { ResultStore } from '../../../result-store/result-store.ts';
import type { DatabaseInput } from '../../../tools/database-input.ts';
import { withSuggestions } from '../../../tools/suggestions.ts';
import type { WriteKind } from './effects/write-kind.ts';

/** A statement that is to change a database. */
export interface WriteRequest {
  readonly database: Database;
  /** Store for the rows that the statement returns, if a result has no room for these rows. */
  readonly results: ResultStore;
  readonly writer: Writer;
  readonly statement: Statement;
  readonly kind: WriteKind;
  readonly sql: SendableSql;
  readonly params: readonly (string | null)[];
  readonly maxAffected: number | undefined;
  readonly context: RequestContext;
}

/** @throws ToolError READ_ONLY */
export function requireWriter({ writer, id }: Database): Writer {
  if (writer !== undefined) return writer;
  throw new ToolError('READ_ONLY', `the database ${id} is read-only`, {
    hint: 'the operator can start the server with --writable',
  });
}

/** A call of a tool that writes. */
export interface WriteCall {
  readonly input: Pick<DatabaseInput, 'timeout_ms'>;
  readonly sql: string;
  readonly context: RequestContext;
}

/** Does work that writes, within the time limit of the call, and reports its progress. */
export async function observeWrite<Outcome>(
  database: Database,
  { input, sql, context }: WriteCall,
  work: (options: WriteOptions) => Promise<Outcome>,
): Promise<Outcome> {
  using progress = new BackendProgress(context, database);
  return await work({ signal: context.signal, timeoutMs: database.writeTimeoutFor(input), sql, progress });
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
