import { Flag, Integer, ListOf, OneOf, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import { MAX_OBJECT_NAME } from '../catalog/object-name.ts';
import type { Database } from '../database/database.ts';
import { schemaInventory, type Inventory } from '../extra/schema-inventory.ts';
import { cutText } from '../rows/fit.ts';
import { DatabaseInput } from './database-input.ts';

export class CompareSchemasInput extends DatabaseInput {
  @Text({ maxLength: MAX_OBJECT_NAME }) schema!: string;

  @Text('Id of the database of the other schema; default: the same', { optional: true, maxLength: MAX_OBJECT_NAME })
  other_database?: string;

  @Text('Default: the schema of the same name in the other database', { optional: true, maxLength: MAX_OBJECT_NAME })
  other_schema?: string;

  @Integer('Differences to skip', { min: 0 }) offset = 0;
  @Integer('Most differences to return', { min: 1, max: 1000 }) limit = 200;
}

export const CHANGES = ['missing', 'added', 'changed'] as const;

export class SchemaDifference {
  @OneOf(CHANGES, 'missing: not in the other schema; added: only there') change!: (typeof CHANGES)[number];
  @Text('Kind and name, such as column orders.note') object!: string;
  @Text('Its definition', { optional: true }) here?: string;
  @Text('That of the other', { optional: true }) there?: string;
}

export class SchemaDifferences {
  @ListOf(() => SchemaDifference, 'By name') differences!: SchemaDifference[];
  @Integer('Objects that are the same') same!: number;
  @Flag('There are more') truncated!: boolean;
  @Integer('offset of the next page', { optional: true }) next_offset?: number;
}

/** @throws ToolError UNDEFINED_OBJECT, and those of `Database.readOnly` */
export async function compareSchemas(
  [database, other]: readonly [Database, Database],
  input: CompareSchemasInput,
  context: RequestContext,
): Promise<SchemaDifferences> {
  const { schema, other_schema = schema, offset, limit } = input;
  const timeoutMs = database.timeoutFor(input);
  const [here, there] = await Promise.all([
    inventory(database, schema, { signal: context.signal, timeoutMs }),
    inventory(other, other_schema, { signal: context.signal, timeoutMs }),
  ]);
  const objects = [...new Set([...here.keys(), ...there.keys()])].toSorted();
  const differences = objects.flatMap((object) => difference(object, here.get(object), there.get(object)));
  const { maxBytes } = database.limits;
  const wanted = differences.slice(offset, offset + limit).map((each) => withShortDefinitions(each, maxBytes / 4));
  const shown = firstThatFit(wanted, maxBytes);
  const next = offset + shown.length;
  const truncated = differences.length > next;
  return {
    differences: shown,
    same: objects.length - differences.length,
    truncated,
    ...(truncated && { next_offset: next }),
  };
}

/** @param maxBytes of one definition */
function withShortDefinitions({ here, there, ...rest }: SchemaDifference, maxBytes: number): SchemaDifference {
  return {
    ...rest,
    ...(here !== undefined && { here: cutText(here, maxBytes) }),
    ...(there !== undefined && { there: cutText(there, maxBytes) }),
  };
}

async function inventory(
  database: Database,
  schema: string,
  options: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Inventory> {
  const found = await database.readOnly(options, ({ connection }) => schemaInventory(connection, schema));
  if (found !== undefined) return found;
  throw new ToolError('UNDEFINED_OBJECT', `there is no schema "${schema}" in ${database.id}`, { data: { object: schema } });
}

function difference(object: string, here: string | undefined, there: string | undefined): readonly SchemaDifference[] {
  if (here === there) return [];
  const change = there === undefined ? 'missing' : here === undefined ? 'added' : 'changed';
  return [{ change, object: object.trim(), ...(here !== undefined && { here }), ...(there !== undefined && { there }) }];
}
