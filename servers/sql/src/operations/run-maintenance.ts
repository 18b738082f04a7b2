import { OneOf, Text, type Preview, type RequestContext } from '@org/mcp-decorators';

import { MAX_OBJECT_NAME } from '../catalog/object-name.ts';
import type { Database } from '../database/database.ts';
import type { Spool } from '../spool/spool.ts';
import { ConfirmInput } from './confirm-input.ts';
import { execute, ExecuteInput, type ExecuteAnswer } from './execute.ts';
import { requireTable } from './require-table.ts';

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
    'vacuum frees what deleted rows take, analyze counts for the planner, reindex builds indexes anew; readers and writers go on',
  )
  action!: Action;

  @Text('With its schema, or found on the search path', { maxLength: MAX_OBJECT_NAME }) table!: string;
}

/** @throws ToolError UNDEFINED_OBJECT, and those of `execute` */
export async function runMaintenance(
  database: Database,
  spool: Spool,
  { action, table, ...rest }: RunMaintenanceInput,
  context: RequestContext,
): Promise<ExecuteAnswer | Preview> {
  const sql = `${ACTIONS[action]} ${await requireTable(database, table, context)}`;
  return execute(database, spool, Object.assign(new ExecuteInput(), rest, { sql }), context);
}
