import { confirmedResult, RequestContext, Tool, type Result, type ToolDefinition } from '@org/mcp-decorators';
import { LARGE_RESULTS } from '@org/mcp-host';

import { LOSES, SETS } from './hints.ts';
import { ExtraTools } from './extra-tools.ts';
import { execute, ExecuteInput } from './operations/execute.ts';
import { ImportInput, importRows } from './operations/import-rows.ts';
import { runMaintenance, RunMaintenanceInput } from './operations/run-maintenance.ts';
import { executedResult, importedResult } from './results/writing-results.ts';

const WRITING = new Set(['execute', 'run_maintenance', 'import']);

/** Tools that change a database, where the operator allows it. */
export abstract class WritingTools extends ExtraTools {
  /** Whether a tool is offered: those that change a database only where the operator allows it. An override adds to it. */
  offers({ name }: Pick<ToolDefinition, 'name'>): boolean {
    return this.options.writable || !WRITING.has(name);
  }

  @Tool({
    title: 'Execute',
    description:
      'Run one SQL statement that writes to PostgreSQL, and commit it, once the user has confirmed the rows or objects that it changes',
    annotations: LOSES,
    sets: ['default', 'write'],
    _meta: LARGE_RESULTS,
  })
  async execute(input: ExecuteInput, context: RequestContext): Promise<Result> {
    const outcome = await execute(this.databaseFor(input), this.spool, input, context);
    return confirmedResult(outcome, executedResult);
  }

  @Tool({
    title: 'Run maintenance',
    description: 'VACUUM, ANALYZE or REINDEX a table while others use it, once the user has confirmed it',
    annotations: SETS,
    sets: ['extra', 'write'],
  })
  async runMaintenance(input: RunMaintenanceInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await runMaintenance(this.databaseFor(input), this.spool, input, context), executedResult);
  }

  @Tool({
    title: 'Import',
    description: 'Add rows to a table by COPY, all or none, once the user has confirmed it',
    annotations: LOSES,
    sets: ['extra', 'write'],
  })
  async import(input: ImportInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await importRows(this.databaseFor(input), input, context), importedResult);
  }
}
