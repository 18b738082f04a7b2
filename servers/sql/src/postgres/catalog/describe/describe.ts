import type { RequestContext } from '@org/mcp-decorators';

import type { Description, Includable } from '../../../catalog/description.ts';
import type { DescribeRequest } from '../../../engine/sql-database.ts';
import type { Row } from '../../../rows/format.ts';
import { Page } from '../../../rows/page.ts';
import type { Connection } from '../../database/connect/connection.ts';
import type { Database } from '../../database/database.ts';
import { read } from '../../database/read.ts';
import { loadDdl } from '../ddl/object-ddl.ts';
import { parseParts } from './description-parts.ts';
import { findObject, type CatalogObject } from '../find-object.ts';
import { RELATION_PARTS, SCHEMA_MEMBERS, type RelationPart } from '../relation-parts.ts';

/** Describes an object. @throws ToolError UNDEFINED_OBJECT, and errors of `read` */
export async function readDescription(
  database: Database,
  request: DescribeRequest,
  context: RequestContext,
): Promise<Description> {
  const { name, include, timeoutMs } = request;
  const { object, description } = await database.readOnly({ signal: context.signal, timeoutMs }, async ({ connection }) => {
    const found = await findObject(connection, name);
    const described = await describeCatalogObject(connection, found, include);
    const masked = await database.policy.masks?.findColumns(connection, [found.oid]);
    return { object: found, description: hideValues(described, masked?.get(found.oid)) };
  });
  const sample = include.includes('sample') ? await readSample(database, object, { timeoutMs }, context) : undefined;
  return sample === undefined ? description : Object.assign(description, { sample });
}

/** Removes the frequent values of masked columns. */
function hideValues(description: Description, masked: ReadonlyMap<string, unknown> = new Map()): Description {
  for (const column of description.columns ?? []) if (masked.has(column.name)) delete column.common_values;
  return description;
}

async function describeCatalogObject(
  connection: Connection,
  object: CatalogObject,
  include: readonly Includable[],
): Promise<Description> {
  const { oid, schema, name, kind, comment } = object;
  const parts = await gather(connection, oid, kind === 'schema' ? { members: SCHEMA_MEMBERS } : selectQuestions(include));
  const facts = { schema, name, kind, ...(comment !== undefined && { comment }), ...parseParts(parts) };
  // The definition of a function, sequence or type is its DDL. If the caller includes the part `ddl`, only that part contains the DDL.
  const needsDdl = DESCRIBED_BY_DDL.has(kind);
  if (!needsDdl && !include.includes('ddl')) return facts;
  const ddl = await loadDdl(connection, object);
  return { ...facts, ...(include.includes('ddl') ? { ddl } : { definition: ddl }) };
}

const DESCRIBED_BY_DDL = new Set(['function', 'sequence', 'type']);

function selectQuestions(include: readonly Includable[]): Partial<Record<RelationPart, string>> {
  const parts = ['facts', ...include.flatMap((part): readonly string[] => PARTS[part] ?? [part])];
  return Object.fromEntries(Object.entries(RELATION_PARTS).filter(([part]) => parts.includes(part)));
}

/** Names of the catalog queries that answer a part. A part without an entry is answered by the query with the name of the part. */
const PARTS: Readonly<Partial<Record<Includable, readonly RelationPart[]>>> = {
  columns: ['columns', 'partitions'],
  stats: ['stats', 'activity'],
  sample: [],
  ddl: [],
};

const ROWS = 5;
/** Maximum size of a sample in bytes. A sample only gives an idea of the rows. */
const MAX_BYTES = 4096;
/** Maximum size of a value of a sample, in bytes. */
const MAX_VALUE_BYTES = 200;

/**
 * Reads at most five rows of a relation as CSV, with the columns that the role may read. Returns `undefined` if the role may read
 * no column, and for an object that has no rows, such as a function.
 *
 * @throws ToolError errors of `read`
 */
async function readSample(
  database: Database,
  { oid }: Pick<CatalogObject, 'oid'>,
  { timeoutMs }: { readonly timeoutMs: number },
  context: RequestContext,
): Promise<string | undefined> {
  const [[sql] = []] = await database.rows(SELECT, [oid, String(ROWS)], context);
  if (typeof sql !== 'string') return undefined;
  const page = new Page({ maxRows: ROWS, maxBytes: MAX_BYTES, maxValueBytes: MAX_VALUE_BYTES, format: 'csv', keepRows: false });
  const { header } = await read(database, { sql, params: [], timeoutMs, maxRows: ROWS, page }, context);
  return page.text(header.names);
}

const SELECT = `
  select 'SELECT ' || string_agg(quote_ident(a.attname), ', ' order by a.attnum)
    || format(' FROM %I.%I LIMIT ', n.nspname, c.relname) || $2::int
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
  where c.oid = $1::oid and c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped
    and has_schema_privilege(n.oid, 'usage') and has_column_privilege(c.oid, a.attnum, 'select')
  group by n.nspname, c.relname`;

/** Runs several queries about one object in one round trip. In each query, `$1` is the OID of the object. */
async function gather<Name extends string>(
  connection: Connection,
  oid: string,
  questions: Readonly<Partial<Record<Name, string>>>,
): Promise<ReadonlyMap<Name | string, readonly Row[]>> {
  const asked = Object.entries<string | undefined>(questions);
  if (asked.length === 0) return new Map();
  const answers = asked.map(([, question], place) => `(select json_agg(to_json(q${place})) from (${question}) q${place})`);
  const [row = []] = await connection.rows(`select ${answers.join(',\n')} from (select $1::oid) object`, [oid]);
  return new Map(asked.map(([name], place) => [name, parseRows(row[place])]));
}

function parseRows(json: string | null | undefined): readonly Row[] {
  const rows: unknown = JSON.parse(json ?? '[]');
  return Array.isArray(rows) ? rows.map((row: unknown) => Object.values(row ?? {}).map(toText)) : [];
}

function toText(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value;
  return typeof value === 'boolean' ? (value ? 't' : 'f') : JSON.stringify(value);
}
