import { Field, McpServer, type RequestContext, type Result, Tool, ToolError } from '@org/mcp-decorators';
import { IsInt, IsString, Min } from 'class-validator';

import { DatabaseInput, PostgresOptions, PostgresServer, QueryInput } from '../src/index.ts';

export class TeamOptions extends PostgresOptions {
  @Field('Database from which whole results are read', { title: 'ID' }) @IsString() replica = 'replica';
  @Field('Tables that largest_tables names', { title: 'N' }) @IsInt() @Min(1) largest = 10;
}

const SIZES = 'SELECT relname, pg_table_size(relid) FROM pg_stat_user_tables ORDER BY 2 DESC LIMIT $1';

@McpServer({ name: 'team-sql', version: '1.0.0', tools: { export: false } })
export class TeamSql extends PostgresServer {
  declare protected readonly options: TeamOptions;

  @Tool({ description: 'The largest tables, with their bytes', annotations: { readOnlyHint: true, openWorldHint: false } })
  async largestTables(input: DatabaseInput, context: RequestContext): Promise<string> {
    const rows = await this.databaseFor(input).rows(SIZES, [String(this.options.largest)], context);
    return rows.map(([name, bytes]) => `${name} ${bytes}`).join('\n');
  }

  // No decorator: it stays the tool query, with its description, schema and annotations.
  override async query(input: QueryInput, context: RequestContext): Promise<Result> {
    const { replica } = this.options;
    if (input.keep && input.database !== replica)
      throw new ToolError('INVALID_ARGUMENTS', `whole results are read from ${replica}`, { hint: `pass database: ${replica}` });
    return super.query(input, context);
  }
}
