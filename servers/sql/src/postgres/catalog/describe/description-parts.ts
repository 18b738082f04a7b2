import { parseJsonStrings } from '../json-strings.ts';
import { MAX_MEMBERS } from '../relation-parts.ts';
import type { Row } from '../../../rows/format.ts';
import type { DescribedColumn, DescribedKey, DescribedMember, DescribedPart, Description } from '../../../catalog/description.ts';

/** Catalog rows about an object, keyed by the name of the query. A query that was not sent has no entry. */
type Parts = ReadonlyMap<string, readonly Row[]>;

/** Converts catalog rows to the fields of a description. */
export function parseParts(parts: Parts): Partial<Description> {
  const truncated = ['partitions', 'dependents', 'members']
    .filter((name) => (parts.get(name)?.length ?? 0) > MAX_MEMBERS)
    .map((name) => `${name}: the first ${MAX_MEMBERS}`);
  const [[rows, definition] = []] = parts.get('facts') ?? [];
  const columns = parseColumns(parts);
  return {
    ...(typeof rows === 'string' && { estimated_rows: Number(rows) }),
    ...(columns !== undefined && { columns }),
    ...parseConstraints(parts.get('constraints')),
    ...parseDefinitions(parts),
    ...parseUsage(parts.get('activity')?.[0]),
    ...parseSize(parts.get('size')?.[0]),
    ...parseMembers(parts),
    ...(truncated.length > 0 && { truncated }),
    ...(typeof definition === 'string' && { definition }),
  };
}

function parseColumns(parts: Parts): DescribedColumn[] | undefined {
  const stats = new Map(parts.get('stats')?.map(([name, ...facts]) => [name, facts]));
  return parts.get('columns')?.map((row) => parseColumn(row, stats.get(row[0] ?? null)));
}

function parseColumn([name, type, nullable, initial, comment, json]: Row, stats: Row | undefined): DescribedColumn {
  const labels = parseJsonStrings(json);
  return {
    name: name ?? '',
    type: type ?? '',
    nullable: nullable === 't',
    ...(typeof initial === 'string' && { default: initial }),
    ...(typeof comment === 'string' && { comment }),
    ...(labels.length > 0 && { labels }),
    ...parseColumnStats(stats),
  };
}

function parseColumnStats([nulls, distinct, common]: Row = []): Partial<DescribedColumn> {
  const values = parseJsonStrings(common).map(shortenValue);
  return {
    ...(typeof nulls === 'string' && { null_fraction: Number(nulls) }),
    ...(typeof distinct === 'string' && { distinct: Number(distinct) }),
    ...(values.length > 0 && { common_values: values }),
  };
}

function shortenValue(value: string): string {
  return value.length <= 100 ? value : `${value.slice(0, 100)}…`;
}

function parseConstraints(constraints: readonly Row[] | undefined): Partial<Description> {
  if (constraints === undefined) return {};
  const own = constraints.filter(([, , , , , , incoming]) => incoming !== 't');
  const foreign = own.filter(([, kind]) => kind === 'foreign_key');
  const primary = own.find(([, kind]) => kind === 'primary_key');
  return {
    primary_key: parseJsonStrings(primary?.[2]),
    foreign_keys: foreign.map(parseForeignKey),
    referenced_by: constraints.filter((row) => !own.includes(row)).map(parseForeignKey),
    constraints: own
      .filter((row) => row !== primary && !foreign.includes(row))
      .map(([name, , , definition]) => parseDefinition([name ?? '', definition ?? ''])),
  };
}

function parseForeignKey([name, , columns, , other, otherColumns]: Row): DescribedKey {
  return { name: name ?? '', columns: parseJsonStrings(columns), table: other ?? '', references: parseJsonStrings(otherColumns) };
}

function parseDefinitions(parts: Parts): Partial<Description> {
  const [indexes, triggers, policies, partitions] = ['indexes', 'triggers', 'policies', 'partitions'].map((name) =>
    parts.get(name)?.slice(0, MAX_MEMBERS).map(parseDefinition),
  );
  return {
    ...(indexes !== undefined && { indexes }),
    ...(triggers !== undefined && { triggers }),
    ...(policies !== undefined && { policies }),
    ...(partitions !== undefined && partitions.length > 0 && { partitions }),
  };
}

function parseDefinition([name, definition]: Row): DescribedPart {
  return { name: name ?? '', definition: definition ?? '' };
}

function parseUsage(row: Row | undefined): Partial<Description> {
  if (row === undefined) return {};
  const [live, dead, sequential, indexed, vacuum, analyze] = row;
  return {
    stats: {
      live_rows: Number(live),
      dead_rows: Number(dead),
      sequential_scans: Number(sequential),
      index_scans: Number(indexed),
      ...(typeof vacuum === 'string' && { last_vacuum: vacuum }),
      ...(typeof analyze === 'string' && { last_analyze: analyze }),
    },
  };
}

function parseSize(row: Row | undefined): Partial<Description> {
  return row === undefined ? {} : { size: { table_bytes: Number(row[0]), index_bytes: Number(row[1]) } };
}

function parseMembers(parts: Parts): Partial<Description> {
  const [dependents, members] = ['dependents', 'members'].map((name) => parts.get(name)?.slice(0, MAX_MEMBERS).map(parseMember));
  return { ...(dependents !== undefined && { dependents }), ...(members !== undefined && { members }) };
}

function parseMember([kind, name, comment]: Row): DescribedMember {
  return { kind: kind ?? '', name: name ?? '', ...(typeof comment === 'string' && { comment }) };
}
