import { constants } from '@photostructure/sqlite';

/** Actions of statements that read. */
const READS = (['SELECT', 'READ', 'RECURSIVE'] as const).map((name) => constants[`SQLITE_${name}`]);

/** Functions that do more than compute a value. */
const DENIED_FUNCTIONS: ReadonlySet<string> = new Set(['fts3_tokenizer', 'load_extension']);

/** Pragmas that read the definitions of tables. Full-text search uses data_version. */
const PRAGMAS: ReadonlySet<string> = new Set(
  'data_version foreign_key_list index_info index_list schema_version table_info table_list table_xinfo'.split(' '),
);

/**
 * Matches the internal tables of an R-Tree. When a statement reads an R-Tree, SQLite prepares statements that write these tables,
 * but does not run them.
 */
const R_TREE_TABLE = /_(?:node|parent|rowid)$/;
const WRITES = (['INSERT', 'UPDATE', 'DELETE'] as const).map((name) => constants[`SQLITE_${name}`]);

/** Decides for each action of a statement, while SQLite prepares the statement, whether the statement may run. */
export function authorize(action: number, first: string | null, second: string | null): number {
  return allows(action, first?.toLowerCase() ?? '', second?.toLowerCase()) ? constants.SQLITE_OK : constants.SQLITE_DENY;
}

function allows(action: number, first: string, second = ''): boolean {
  if (action === constants.SQLITE_FUNCTION) return !DENIED_FUNCTIONS.has(second);
  if (action === constants.SQLITE_PRAGMA) return PRAGMAS.has(first);
  return READS.includes(action) || (WRITES.includes(action) && R_TREE_TABLE.test(first));
}
