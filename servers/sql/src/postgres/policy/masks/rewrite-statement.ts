import { isDeepStrictEqual } from 'node:util';

import { quoteQualified } from '../parse/relation-name.ts';
import { parseSql } from '../parse/parser.ts';
import { collectNodes, toFields, type Fields, type Statement, type SyntaxNode } from '../parse/syntax-tree.ts';
import { maskedError, selectMasked, type Masking } from './masking.ts';
import { nameOf, type CatalogRelation } from './masked-catalog.ts';

/** A statement, and the text from which it was parsed. */
export interface ParsedText {
  readonly statement: Statement;
  readonly text: string;
}

/** The masks, relations and view definitions with which statements are rewritten. */
export interface RewriteOptions {
  readonly masking: Masking;
  /** Finds the relation that a name in the statement means. */
  readonly find: (fields: Fields) => CatalogRelation | undefined;
  /** Definitions of views, keyed by OID. */
  readonly definitions: ReadonlyMap<string, ParsedText>;
  /** Finds the relation that a name in the definition of a view means. */
  readonly findQualified: (fields: Fields) => CatalogRelation | undefined;
}

/** A place in the text where a relation is replaced by a subquery. */
interface Replacement {
  readonly node: Fields;
  readonly subquery: string;
  /** Position in bytes. */
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/**
 * Replaces each relation that a statement must not read directly with a subquery. The new text is parsed, and must differ from
 * the statement only by these subqueries. Returns `undefined` if nothing is replaced.
 *
 * @throws ToolError POLICY_DENIED if the masked values of a relation cannot be replaced
 */
export async function rewriteStatement({ statement, text }: ParsedText, options: RewriteOptions): Promise<string | undefined> {
  const nodes = collectNodes(statement);
  const bytes = Buffer.from(text);
  const queries = new Set(nodes.flatMap(({ fields: { ctename } }) => (typeof ctename === 'string' ? [ctename] : [])));
  const replacements: Replacement[] = [];
  for (const node of nodes) {
    const relation = options.find(node.fields);
    if (relation === undefined || options.masking.treat(relation) === 'plain') continue;
    requireReplaceable(node, relation, queries);
    replacements.push({
      ...locate(node.fields, bytes, relation),
      node: node.fields,
      subquery: await selectFrom(relation, options),
    });
  }
  if (replacements.length === 0) return undefined;
  requireShortReferences(nodes);
  const rewritten = replaceAll(bytes, replacements);
  await requireOnlyReplaced(statement, rewritten, replacements);
  return rewritten;
}

function requireReplaceable({ kind, fields }: SyntaxNode, relation: CatalogRelation, queries: ReadonlySet<string>): void {
  const name = nameOf(relation);
  if (kind !== 'RangeVar') throw maskedError(`statements cannot write ${name}, which has masked columns`, name, WRITE_ELSEWHERE);
  if (fields['schemaname'] === undefined && queries.has(String(fields['relname'])))
    throw maskedError(`a WITH query has the name of ${name}, which has masked columns`, name, 'give the WITH query another name');
  if (fields['inh'] !== true) throw maskedError(`ONLY cannot be used with ${name}, which has masked columns`, name, 'omit ONLY');
}

/** Rejects references such as `schema.table.column`. They would become invalid, because the name of a subquery has no schema. */
function requireShortReferences(nodes: readonly SyntaxNode[]): void {
  const long = nodes.find(({ kind, fields: { fields } }) => kind === 'ColumnRef' && Array.isArray(fields) && fields.length > 2);
  if (long === undefined) return;
  throw maskedError(
    'a column is named with its schema, and the statement reads masked columns',
    'column reference',
    'write table.column, or alias.column',
  );
}

async function selectFrom(relation: CatalogRelation, options: RewriteOptions): Promise<string> {
  if (options.masking.treat(relation) === 'masked') return selectMasked(relation, nameOf(relation));
  const definition = options.definitions.get(relation.oid);
  if (definition === undefined) throw cannotMask(nameOf(relation));
  const rewritten = (await rewriteStatement(definition, { ...options, find: options.findQualified })) ?? definition.text;
  const inner = rewritten.replace(/;[ \n]*$/, '');
  return relation.columns.some(({ mask }) => mask !== null)
    ? selectMasked(relation, `(\n${inner}\n) AS ${quoteQualified([relation.name])}`)
    : inner;
}

/** Finds where the name of a relation is written. */
function locate(fields: Fields, bytes: Buffer, relation: CatalogRelation): Omit<Replacement, 'node' | 'subquery'> {
  const start = Number(fields['location'] ?? 0);
  const parts = ['catalogname', 'schemaname', 'relname'].filter((part) => fields[part] !== undefined);
  const text = bytes.toString('utf8', start);
  let end = 0;
  for (const [place] of parts.entries()) {
    PART.lastIndex = end;
    const [, written = '', dot = ''] = PART.exec(text) ?? [];
    if (written === '') throw cannotMask(nameOf(relation));
    // A dot and spaces after the last part do not belong to the name of the relation.
    end += place < parts.length - 1 ? written.length + dot.length : written.length;
  }
  return { start, end: start + Buffer.byteLength(text.slice(0, end)), name: String(fields['relname']) };
}

function replaceAll(bytes: Buffer, replacements: readonly Replacement[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const { start, end: next, subquery, node, name } of replacements.toSorted((a, b) => a.start - b.start)) {
    const alias = node['alias'] === undefined ? ` AS ${quoteQualified([name])}` : '';
    parts.push(bytes.toString('utf8', end, start), `(\n${subquery}\n)${alias}`);
    end = next;
  }
  return [...parts, bytes.toString('utf8', end)].join('');
}

/**
 * Rejects a new text that differs from the statement in more than the replaced relations. The check is needed because the text
 * was changed at the positions that the parser reported.
 */
async function requireOnlyReplaced(statement: Statement, rewritten: string, replacements: readonly Replacement[]): Promise<void> {
  const subqueries = new Map<unknown, unknown>();
  for (const { node, subquery, name } of replacements) {
    const alias = node['alias'] ?? { aliasname: name };
    subqueries.set(node, { subquery: toTree(await parseSql(subquery))[0], alias });
  }
  const found = toTree(await parseSql(rewritten).catch(() => []));
  if (isDeepStrictEqual(simplify(found), simplify(toTree([statement]), subqueries))) return;
  throw cannotMask(replacements.map(({ name }) => name).join(', '));
}

function toTree(statements: readonly Statement[]): readonly unknown[] {
  return statements.map(({ kind, fields }) => ({ [kind]: fields }));
}

/** Returns a tree without positions, in which relations are replaced by subqueries. */
function simplify(value: unknown, subqueries: ReadonlyMap<unknown, unknown> = new Map()): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => simplify(item, subqueries));
  if (typeof value !== 'object' || value === null) return value;
  const fields = toFields(value);
  const subquery = subqueries.get(fields['RangeVar']);
  if (subquery !== undefined) return { RangeSubselect: simplify(subquery) };
  const kept = Object.entries(fields).filter(([name]) => !POSITIONS.has(name));
  return Object.fromEntries(kept.map(([name, field]) => [name, simplify(field, subqueries)]));
}

function cannotMask(name: string): Error {
  return maskedError(`the statement reads masked columns of ${name} in a form that is not supported`, name, SUPPORTED);
}

const SUPPORTED = 'write SELECT … FROM schema.table AS alias, without TABLE, TABLESAMPLE and comments inside names';
const WRITE_ELSEWHERE = 'the operator may run the statement without this server';

/** Pattern of a part of a name, and of the dot after the part, with the spaces around the dot. */
const PART = /("(?:[^"]|"")*"|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)([ \t\r\n\f\v]*\.[ \t\r\n\f\v]*)?/y;

const POSITIONS: ReadonlySet<string> = new Set([
  'location',
  'stmt_location',
  'stmt_len',
  'list_start',
  'list_end',
  'rexpr_list_start',
  'rexpr_list_end',
]);
