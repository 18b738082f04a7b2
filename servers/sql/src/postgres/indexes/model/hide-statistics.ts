import type { Connection } from '../../database/connect/connection.ts';
import type { Masks } from '../../policy/masks/masks.ts';

/** A relation or index whose statistics are copied. */
interface CopiedRelation {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  /** For an index, the OID of its table. */
  readonly table?: string;
}

/**
 * Removes the statistics of masked columns, and of all indexes of their tables, from rows of pg_stats.
 *
 * @param statistics a JSON array
 */
export async function hideStatistics(
  connection: Connection,
  masks: Masks | undefined,
  { relations, statistics }: { readonly relations: readonly CopiedRelation[]; readonly statistics: string },
): Promise<string> {
  if (masks === undefined) return statistics;
  const masked = await masks.findColumns(
    connection,
    relations.map(({ oid, table = oid }) => table),
  );
  const rows = JSON.parse(statistics) as readonly StatisticsRow[];
  const shown = rows.filter(({ schemaname, tablename, attname }) =>
    relations.every(({ oid, schema, name, table }) => {
      const hidden = schema === schemaname && name === tablename ? masked.get(table ?? oid) : undefined;
      return hidden === undefined || (table === undefined ? !hidden.has(attname) : hidden.size === 0);
    }),
  );
  return JSON.stringify(shown);
}

interface StatisticsRow {
  readonly schemaname: string;
  readonly tablename: string;
  readonly attname: string;
}
