import { ToolError } from '@org/mcp-decorators';

import type { SqlDatabase } from './sql-database.ts';

/** The SQL of a statement, and the values of its placeholders. */
interface StatementTexts {
  readonly sql: string;
  readonly params: readonly (string | null)[];
}

/** Rejects NUL, because most databases ignore the text after NUL. @throws ToolError INVALID_ARGUMENTS */
export function rejectNul({ engine }: Pick<SqlDatabase, 'engine'>, { sql, params }: StatementTexts): void {
  if ([sql, ...params].some((text) => text?.includes('\0')))
    throw new ToolError('INVALID_ARGUMENTS', `${engine.name} does not accept the character NUL in statements or values`);
}
