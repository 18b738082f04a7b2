import { confirmedResult, RequestContext, Tool, type Result, type ToolDefinition } from '@org/mcp-decorators';

import { LOSES } from './hints.ts';
import { ObservingTools } from './observing-tools.ts';
import { execute, ExecutedStatement, ExecuteInput } from './operations/execute.ts';
import { executedResult } from './results/writing-results.ts';

const WRITING = new Set(['execute']);

/** Tools that change a database, where the operator allows it. */
export abstract class WritingTools extends ObservingTools {
  /** Whether a tool is offered: those that change a database only where the operator allows it. An override adds to it. */
  offers({ name }: Pick<ToolDefinition, 'name'>): boolean {
    return this.options.writable || !WRITING.has(name);
  }

  @Tool({
    title: 'Execute',
    description:
      'Run one statement that writes, and commit it, once the user has confirmed how many rows it affects; of DDL, what stands out',
    output: ExecutedStatement,
    annotations: LOSES,
    sets: ['default', 'write'],
  })
  async execute(input: ExecuteInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await execute(this.databaseFor(input), input, context), executedResult);
  }
}
