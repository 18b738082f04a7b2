import { ToolError } from '@org/mcp-decorators';

import type { Row } from '../../../rows/format.ts';
import type { Database } from '../../database/database.ts';
import type { WorkOptions } from '../../database/query/read-only-database.ts';

interface ViewQuery {
  /** Returns the query. @param view qualified name of the view, as SQL */
  readonly build: (view: string) => string;
  readonly params: readonly string[];
}

/** Text that is shown instead of a statement which may contain values of masked columns. */
export const MASKED_QUERY = '<hidden, because columns are masked>';

const NOT_LOADED = '55000';

/**
 * Reads the view pg_stat_statements. If the view is not available, returns the reason as text.
 *
 * @throws ToolError errors of `Database.readOnly`
 */
export async function readStatementView(
  database: Database,
  options: WorkOptions,
  { build, params }: ViewQuery,
): Promise<readonly Row[] | string> {
  try {
    return await database.readOnly(options, async ({ connection }) => {
      // Each call looks up the extension again, because a user may install the extension after an earlier call reported that it
      // was missing.
      const [[schema] = []] = await connection.rows(SCHEMA, []);
      if (typeof schema !== 'string') return 'the extension pg_stat_statements is not installed in this database';
      return await connection.lastRows(build(`${schema}.pg_stat_statements`), params);
    });
  } catch (error) {
    if (!ToolError.is(error) || error.data?.['sqlstate'] !== NOT_LOADED) throw error;
    return 'pg_stat_statements is installed, but not in shared_preload_libraries';
  }
}

const SCHEMA = `
  select quote_ident(n.nspname) from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_stat_statements'`;
