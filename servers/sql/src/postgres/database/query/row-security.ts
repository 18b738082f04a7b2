import type { SendableSql } from '../../policy/parse/sendable-sql.ts';
import { parseSql } from '../../policy/parse/parser.ts';
import { relationName } from '../../policy/parse/relation-name.ts';
import { collectNodes } from '../../policy/parse/syntax-tree.ts';
import type { Connection } from '../connect/connection.ts';

/**
 * Returns a note if policies of row security may hide rows of a table that the statement names. A table without visible rows looks
 * like an empty table otherwise.
 */
export async function noteRowSecurity(connection: Connection, { text }: SendableSql): Promise<readonly string[]> {
  // A statement that only the database server can parse gets no note.
  const statements = await parseSql(text).catch(() => []);
  const names = new Set(
    statements.flatMap((statement) => collectNodes(statement).flatMap(({ fields }) => relationName(fields) ?? [])),
  );
  if (names.size === 0) return [];
  // Some engines lack the function. A failure only omits the note, because the rows of the statement do not depend on the note.
  const rows = await connection.rows(ACTIVE, [JSON.stringify([...names])]).catch(() => []);
  const tables = rows.map(([name]) => name ?? '');
  return tables.length === 0 ? [] : [`row security is active for ${tables.join(', ')}: policies may hide rows from this role`];
}

const ACTIVE = `
  select c.oid::regclass from json_array_elements_text($1::json) t (name) join pg_class c on c.oid = to_regclass(t.name)
  where c.relkind in ('r', 'p') and row_security_active(c.oid) order by 1 limit 10`;
