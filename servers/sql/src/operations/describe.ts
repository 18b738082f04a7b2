import { Field, Text, type RequestContext } from '@org/mcp-decorators';
import { IsIn } from 'class-validator';

import { ddlOf } from '../catalog/ddl/object-ddl.ts';
import { findObject, type CatalogObject } from '../catalog/find-object.ts';
import { gather } from '../catalog/gather.ts';
import { MAX_OBJECT_NAME, parseObjectName, type ObjectName } from '../catalog/object-name.ts';
import { RELATION_PARTS, SCHEMA_MEMBERS, type RelationPart } from '../catalog/relation-parts.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { DatabaseInput } from './database-input.ts';
import type { Description } from './description.ts';
import { factsOf } from './described-parts.ts';
import { sampleOf } from './sample.ts';
import { shortened } from '../rows/fit.ts';
import { withSuggestions } from './suggestions.ts';

const INCLUDABLE = [
  'columns',
  'constraints',
  'indexes',
  'triggers',
  'policies',
  'stats',
  'size',
  'dependents',
  'sample',
  'ddl',
] as const;

export type Includable = (typeof INCLUDABLE)[number];

export class DescribeInput extends DatabaseInput {
  @Text('Table, view, function, sequence, index, type or schema, such as shop.orders', {
    minLength: 1,
    maxLength: MAX_OBJECT_NAME,
  })
  object!: string;

  @Field('What to tell of it')
  @IsIn([...INCLUDABLE], { each: true })
  include: Includable[] = [...BRIEF];
}

/** What is told where nothing else was asked for. */
const BRIEF = ['columns', 'constraints', 'indexes'] as const satisfies readonly Includable[];

/** @throws ToolError UNDEFINED_OBJECT, and those of `query` */
export async function describe(database: Database, input: DescribeInput, context: RequestContext): Promise<Description> {
  const { object, include } = input;
  const timeoutMs = database.timeoutFor(input);
  const description = await withSuggestions(database, context, () =>
    describeObject(database, { name: parseObjectName(object), include, timeoutMs }, context),
  );
  return shortened(description, database.limits.maxBytes);
}

/** What is described, and how much of it. */
export interface DescribeRequest {
  readonly name: ObjectName;
  readonly include: readonly Includable[];
  readonly timeoutMs: number;
}

/** @throws ToolError UNDEFINED_OBJECT, and those of `query` */
export async function describeObject(
  database: Database,
  request: DescribeRequest,
  context: RequestContext,
): Promise<Description> {
  const { name, include, timeoutMs } = request;
  const { object, description } = await database.readOnly({ signal: context.signal, timeoutMs }, async ({ connection }) => {
    const found = await findObject(connection, name);
    return { object: found, description: await describeFound(connection, found, include) };
  });
  const sample = include.includes('sample') ? await sampleOf(database, object, { timeoutMs }, context) : undefined;
  return sample === undefined ? description : Object.assign(description, { sample });
}

async function describeFound(
  connection: Connection,
  object: CatalogObject,
  include: readonly Includable[],
): Promise<Description> {
  const { oid, schema, name, kind, comment } = object;
  const parts = await gather(connection, oid, kind === 'schema' ? { members: SCHEMA_MEMBERS } : questionsFor(include));
  const facts = { schema, name, kind, ...(comment !== undefined && { comment }), ...factsOf(parts) };
  // What has no columns, rows or query is told by what makes it.
  const madeBy = MADE_BY_DDL.has(kind);
  if (!madeBy && !include.includes('ddl')) return facts;
  const ddl = await ddlOf(connection, object);
  return { ...facts, ...(include.includes('ddl') ? { ddl } : { definition: ddl }) };
}

const MADE_BY_DDL = new Set(['function', 'sequence', 'type']);

function questionsFor(include: readonly Includable[]): Partial<Record<RelationPart, string>> {
  const parts = ['facts', ...include.flatMap((part): readonly string[] => PARTS[part] ?? [part])];
  return Object.fromEntries(Object.entries(RELATION_PARTS).filter(([part]) => parts.includes(part)));
}

/** What is asked for a part, where that is not the question of its name. */
const PARTS: Readonly<Partial<Record<Includable, readonly RelationPart[]>>> = {
  columns: ['columns', 'partitions'],
  stats: ['stats', 'activity'],
  sample: [],
  ddl: [],
};
