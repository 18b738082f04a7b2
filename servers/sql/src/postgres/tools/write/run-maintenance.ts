import { OneOf, Text, type RequestContext, type Result } from '@org/mcp-decorators';

import { MAX_OBJECT_NAME } from '../../../catalog/object-name.ts';
import type { SqlDatabase } from '../../../engine/sql-database.ts';
import type { Database } from '../../database/database.ts';
import type { ResultStore } from '../../../result-store/result-store.ts';
import { ConfirmInput } from '../../../tools/write/confirm-input.ts';
import { ExecuteInput, executeStatement } from '../../../tools/write/execute.ts';
import { requireTable } from './write-request.ts';

const ACTIONS = {
  vacuum: 'VACUUM',
  analyze: 'ANALYZE',
  vacuum_analyze: 'VACUUM (ANALYZE)',
  reindex: 'REINDEX TABLE CONCURRENTLY',
} as const;

type Action = keyof typeof ACTIONS;

export class RunMaintenanceInput extends ConfirmInput {
  @OneOf(
    ACTIONS,
    'vacuum: free the space of deleted rows; analyze: update planner statistics; vacuum_analyze: both; reindex: rebuild all indexes. Readers and writers are not blocked',
  )
  action!: Action;

  @Text('Table, with its schema or found by search_path', { maxLength: MAX_OBJECT_NAME }) table!: string;
}

/** @throws ToolError UNDEFINED_OBJECT, and errors of `executeStatement` */
export async function runMaintenance(
  database: Database & SqlDatabase,
  results: ResultStore,
  { action, table, ...rest }: RunMaintenanceInput,
  context: RequestContext,
): Promise<Result> {
  const sql = `${ACTIONS[action]} ${await requireTable(database, table, context)}`;
  return executeStatement(database, results, Object.assign(new ExecuteInput(), rest, { sql }), context);
}
