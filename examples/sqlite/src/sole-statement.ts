import type { DatabaseSyncInstance as Database, StatementSyncInstance as Statement } from '@photostructure/sqlite';

/** Maximum number of semicolons that are examined as the end of the statement. */
const MAX_SEMICOLONS = 100;

/** Prepares a statement. SQLite would ignore the text after the first statement. @throws Error for several statements */
export function prepareSole(database: Database, sql: string): Statement {
  // SQLite also ignores the text after NUL.
  if (sql.includes('\0')) throw new Error('syntax error: the statement contains the character NUL');
  const statement = database.prepare(sql);
  // If a semicolon ends the statement, SQLite ignores the text after it, even the syntax error `)`. So an error means that no
  // semicolon ends the statement.
  const isOpen = (text: string): boolean => findError(database, `${text}\n)`) !== undefined;
  if (isOpen(sql)) return statement;
  for (let end = sql.indexOf(';'), count = 0; end !== -1 && count < MAX_SEMICOLONS; end = sql.indexOf(';', end + 1), count += 1)
    if (findError(database, sql.slice(end + 1)) === 'ERR_INVALID_STATE' && isOpen(sql.slice(0, end))) return statement;
  throw new Error('several statements');
}

/**
 * Returns the code of the error that a text causes: ERR_INVALID_STATE if the text has only spaces, comments and semicolons.
 * Returns `undefined` if the text causes no error.
 */
function findError(database: Database, sql: string): string | undefined {
  try {
    database.prepare(sql).columns();
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}
