import type { Connection } from '../../database/connect/connection.ts';
import type { Masks } from '../../policy/masks/masks.ts';
import type { TableFacts } from './table-facts.ts';

/** Removes the frequent values of masked columns, because advice depends on them and could reveal them. */
export async function hideFrequentValues(
  connection: Connection,
  masks: Masks | undefined,
  tables: readonly TableFacts[],
): Promise<readonly TableFacts[]> {
  if (masks === undefined || tables.length === 0) return tables;
  const masked = await masks.findColumns(
    connection,
    tables.map(({ oid }) => oid),
  );
  return tables.map((table) => {
    const hidden = masked.get(table.oid);
    const columns = [...table.columns].map(([name, facts]) =>
      hidden?.has(name) === true
        ? ([name, { ...facts, frequent: new Map<string, number>() }] as const)
        : ([name, facts] as const),
    );
    return { ...table, columns: new Map(columns) };
  });
}
