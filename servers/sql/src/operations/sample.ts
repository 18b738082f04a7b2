import type { RequestContext } from '@org/mcp-decorators';

import type { CatalogObject } from '../catalog/find-object.ts';
import type { Database } from '../database/database.ts';
import { read } from '../database/read.ts';
import { Page } from '../rows/page.ts';

const ROWS = 5;
/** Maximum size of a sample, which only gives an idea of the rows. */
const MAX_BYTES = 4096;

/**
 * A few rows of a relation as CSV, of the columns that the role may read; `undefined` if that is none.
 *
 * @throws ToolError those of `query` without `keep`
 */
export async function sampleOf(
  database: Database,
  { oid }: Pick<CatalogObject, 'oid'>,
  { timeoutMs }: { readonly timeoutMs: number },
  context: RequestContext,
): Promise<string | undefined> {
  const [[sql] = []] = await database.rows(SELECT, [oid, String(ROWS)], context);
  if (typeof sql !== 'string') return undefined;
  const page = new Page({ maxRows: ROWS, maxBytes: MAX_BYTES, format: 'csv', keepRows: false });
  const { fields } = await read(database, { sql, params: [], timeoutMs, maxRows: ROWS, page }, context);
  return page.text(fields.map(({ name }) => name));
}

const SELECT = `
  select 'SELECT ' || string_agg(quote_ident(a.attname), ', ' order by a.attnum)
    || format(' FROM %I.%I LIMIT ', n.nspname, c.relname) || $2::int
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
  where c.oid = $1::oid and c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped
    and has_schema_privilege(n.oid, 'usage') and has_column_privilege(c.oid, a.attnum, 'select')
  group by n.nspname, c.relname`;
