import { Integer, OneOf } from '@org/mcp-decorators';

import { LANGUAGES, type Language } from '../../catalog/schema-table.ts';
import { TablesInput } from '../../tools/schema/tables-input.ts';

/** The parameters of `GenerateTypesInput`, described with the drivers for PostgreSQL. */
export class PostgresGenerateTypesInput extends TablesInput {
  @OneOf(LANGUAGES, 'typescript: types as pg returns them; python: as psycopg returns them')
  language: Language = 'typescript';
  @Integer('Maximum number of tables', { min: 1, max: 200 }) limit = 50;
}
