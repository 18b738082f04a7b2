import { jsonStrings } from '../catalog/json-strings.ts';
import { MOST_MEMBERS } from '../catalog/relation-parts.ts';
import type { Row } from '../rows/format.ts';
import type { DescribedColumn, DescribedKey, DescribedMember, DescribedPart, Description } from './description.ts';

/** The answers to questions about an object, by the names of the questions; none to what was not asked. */
type Parts = ReadonlyMap<string, readonly Row[]>;

/** What the catalog says of an object, as far as it was asked. */
export function factsOf(parts: Parts): Partial<Description> {
  const truncated = ['partitions', 'dependents', 'members']
    .filter((name) => (parts.get(name)?.length ?? 0) > MOST_MEMBERS)
    .map((name) => `${name}: the first ${MOST_MEMBERS}`);
  const [[rows, definition] = []] = parts.get('facts') ?? [];
  const columns = columnsOf(parts);
  return {
    ...(typeof rows === 'string' && { estimated_rows: Number(rows) }),
    ...(columns !== undefined && { columns }),
    ...keysOf(parts.get('constraints')),
    ...partsOf(parts),
    ...useOf(parts.get('activity')?.[0]),
    ...sizeOf(parts.get('size')?.[0]),
    ...membersOf(parts),
    ...(truncated.length > 0 && { truncated }),
    ...(typeof definition === 'string' && { definition }),
  };
}

function columnsOf(parts: Parts): DescribedColumn[] | undefined {
  const stats = new Map(parts.get('stats')?.map(([name, ...facts]) => [name, facts]));
  return parts.get('columns')?.map((row) => columnOf(row, stats.get(row[0] ?? null)));
}

function columnOf([name, type, nullable, initial, comment, json]: Row, stats: Row | undefined): DescribedColumn {
  const labels = jsonStrings(json);
  return {
    name: name ?? '',
    type: type ?? '',
    nullable: nullable === 't',
    ...(typeof initial === 'string' && { default: initial }),
    ...(typeof comment === 'string' && { comment }),
    ...(labels.length > 0 && { labels }),
    ...statsOf(stats),
  };
}

function statsOf([nulls, distinct, common]: Row = []): Partial<DescribedColumn> {
  const values = jsonStrings(common).map(shortened);
  return {
    ...(typeof nulls === 'string' && { null_fraction: Number(nulls) }),
    ...(typeof distinct === 'string' && { distinct: Number(distinct) }),
    ...(values.length > 0 && { common_values: values }),
  };
}

/** A value that many rows have may be long all the same. */
function shortened(value: string): string {
  return value.length <= 100 ? value : `${value.slice(0, 100)}…`;
}

function keysOf(constraints: readonly Row[] | undefined): Partial<Description> {
  if (constraints === undefined) return {};
  const own = constraints.filter(([, , , , , , incoming]) => incoming !== 't');
  const foreign = own.filter(([, kind]) => kind === 'foreign_key');
  const primary = own.find(([, kind]) => kind === 'primary_key');
  return {
    primary_key: jsonStrings(primary?.[2]),
    foreign_keys: foreign.map(keyOf),
    referenced_by: constraints.filter((row) => !own.includes(row)).map(keyOf),
    constraints: own
      .filter((row) => row !== primary && !foreign.includes(row))
      .map(([name, , , definition]) => partOf([name ?? '', definition ?? ''])),
  };
}

function keyOf([name, , columns, , other, otherColumns]: Row): DescribedKey {
  return { name: name ?? '', columns: jsonStrings(columns), table: other ?? '', references: jsonStrings(otherColumns) };
}

function partsOf(parts: Parts): Partial<Description> {
  const [indexes, triggers, policies, partitions] = ['indexes', 'triggers', 'policies', 'partitions'].map((name) =>
    parts.get(name)?.slice(0, MOST_MEMBERS).map(partOf),
  );
  return {
    ...(indexes !== undefined && { indexes }),
    ...(triggers !== undefined && { triggers }),
    ...(policies !== undefined && { policies }),
    ...(partitions !== undefined && partitions.length > 0 && { partitions }),
  };
}

function partOf([name, definition]: Row): DescribedPart {
  return { name: name ?? '', definition: definition ?? '' };
}

function useOf(row: Row | undefined): Partial<Description> {
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

function sizeOf(row: Row | undefined): Partial<Description> {
  return row === undefined ? {} : { size: { table_bytes: Number(row[0]), index_bytes: Number(row[1]) } };
}

function membersOf(parts: Parts): Partial<Description> {
  const [dependents, members] = ['dependents', 'members'].map((name) => parts.get(name)?.slice(0, MOST_MEMBERS).map(memberOf));
  return { ...(dependents !== undefined && { dependents }), ...(members !== undefined && { members }) };
}

function memberOf([kind, name, comment]: Row): DescribedMember {
  return { kind: kind ?? '', name: name ?? '', ...(typeof comment === 'string' && { comment }) };
}
