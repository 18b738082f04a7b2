import { Flag, Integer, OneOf, Text, type RequestContext } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';
import { mermaid, SHOWN_COLUMNS, type ShownColumns } from '../extra/mermaid.ts';
import { schemaTables } from '../extra/schema-tables.ts';
import { TablesInput } from './tables-input.ts';
import { writeThatFit } from '../rows/fit.ts';

export class ErDiagramInput extends TablesInput {
  @OneOf(SHOWN_COLUMNS, 'Which columns are shown') columns: ShownColumns = 'keys';
  @Integer('Most tables to draw', { min: 1, max: 200 }) limit = 50;
}

export class ErDiagram {
  @Text('In the language of Mermaid') diagram!: string;
  @Integer('Tables and views in it') tables!: number;
  @Flag('There are more tables') truncated!: boolean;
  @Flag('The only table has more columns than fit', { optional: true }) cut?: boolean;
}

/** @throws ToolError those of `Database.readOnly` */
export function erDiagram(database: Database, input: ErDiagramInput, { signal }: RequestContext): Promise<ErDiagram> {
  const { schema, tables: names, columns, limit } = input;
  return database.readOnly({ signal, timeoutMs: database.timeoutFor(input) }, async ({ connection }) => {
    const found = await schemaTables(connection, { schema, tables: names, limit: limit + 1 });
    const draw = (tables: typeof found): string => mermaid(tables, columns);
    const { text, count, isCut } = writeThatFit(found.slice(0, limit), draw, database.limits.maxBytes);
    return { diagram: text, tables: count, truncated: found.length > count, ...(isCut && { cut: true }) };
  });
}
