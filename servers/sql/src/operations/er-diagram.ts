import { Field, type RequestContext } from '@org/mcp-decorators';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

import type { Database } from '../database/database.ts';
import { mermaid, SHOWN_COLUMNS, type ShownColumns } from '../extra/mermaid.ts';
import { schemaTables } from '../extra/schema-tables.ts';
import { TablesInput } from './tables-input.ts';
import { writeThatFit } from '../rows/fit.ts';

export class ErDiagramInput extends TablesInput {
  @Field('Which columns are shown')
  @IsIn([...SHOWN_COLUMNS])
  columns: ShownColumns = 'keys';

  @Field('Most tables to draw')
  @IsInt()
  @Min(1)
  @Max(200)
  limit = 50;
}

export class ErDiagram {
  @Field('In the language of Mermaid')
  @IsString()
  diagram!: string;

  @Field('Tables and views in it')
  @IsInt()
  tables!: number;

  @Field('There are more tables')
  @IsBoolean()
  truncated!: boolean;

  @Field('The only table has more columns than fit')
  @IsOptional()
  @IsBoolean()
  cut?: boolean;
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
