import { constants } from '@photostructure/sqlite';

/** Actions of statements that read. */
const ACTIONS: ReadonlySet<number> = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
  constants.SQLITE_PRAGMA,
]);

/** Functions that do more than compute a value. */
const DENIED_FUNCTIONS: ReadonlySet<string> = new Set(['fts3_tokenizer', 'load_extension']);

/** Pragmas that read the definitions of tables. Full-text search uses data_version. */
const PRAGMAS: ReadonlySet<string> = new Set(
  'data_version foreign_key_list index_info index_list schema_version table_info table_list table_xinfo'.split(' '),
);

/** Decides for each action of a statement, while SQLite prepares the statement, whether the statement may run. */
export function authorize(action: number, first: string | null, second: string | null): number {
  const isDenied =
    !ACTIONS.has(action) ||
    (action === constants.SQLITE_FUNCTION && DENIED_FUNCTIONS.has((second ?? '').toLowerCase())) ||
    (action === constants.SQLITE_PRAGMA && !PRAGMAS.has((first ?? '').toLowerCase()));
  return isDenied ? constants.SQLITE_DENY : constants.SQLITE_OK;
}
