import type { ReadOnlyDatabase } from '../../database/query/read-only-database.ts';
import type { Connection } from '../../database/connect/connection.ts';
import { collectCalls, type CalledName } from '../functions/called-names.ts';
import { runsSql } from '../functions/known-functions.ts';
import { parseSql } from '../parse/parser.ts';
import { quoteQualified } from '../parse/relation-name.ts';
import { collectNodes, foldName, type Fields, type Statement, type SyntaxNode } from '../parse/syntax-tree.ts';
import { isRevealingFunction, maskedError, Masking } from './masking.ts';
import type { MaskKind, MaskRule } from './mask-rule.ts';
import {
  nameOf,
  readMaskedCatalog,
  readViewDefinitions,
  type CatalogRelation,
  type MaskedCatalog,
  type WantedRelations,
} from './masked-catalog.ts';
import { rewriteStatement, type ParsedText } from './rewrite-statement.ts';

/** A statement whose masked columns are replaced. */
export interface MaskedText {
  readonly text: string;
  /** Masked columns of the relations that the statement reads, such as `crm.customers.email (redact)`. */
  readonly columns: readonly string[];
}

/** Masks columns in the statements of callers. */
export class Masks {
  readonly #database: ReadOnlyDatabase;
  readonly #rules: readonly MaskRule[];

  constructor(database: ReadOnlyDatabase, rules: readonly MaskRule[]) {
    this.#database = database;
    this.#rules = rules;
  }

  /**
   * Replaces the masked columns of a statement that reads. Returns `undefined` if the statement reads no masked columns. The
   * catalog is read for each statement, so that a renamed table or a new partition is never read without its masks.
   *
   * @throws ToolError POLICY_DENIED for a statement whose masked values cannot be replaced; errors of `Database.readOnly`
   */
  async rewrite(parsed: ParsedText, signal: AbortSignal): Promise<MaskedText | undefined> {
    const nodes = collectNodes(parsed.statement);
    requireNoRevealingCall(nodes);
    return this.#database.readOnly({ signal }, async ({ connection }) => {
      const names = [...new Set(nodes.flatMap(({ fields }) => listSpellings(fields)))];
      const { catalog, masking, definitions } = await this.#look(connection, { names });
      const find = (fields: Fields): CatalogRelation | undefined => findSpelled(catalog, masking, fields);
      const findQualified = (fields: Fields): CatalogRelation | undefined => findByName(catalog, fields);
      const text = await rewriteStatement(parsed, { masking, find, findQualified, definitions });
      if (text === undefined) return undefined;
      for (const statement of await parseSql(text)) requireNoRevealingCall(collectNodes(statement));
      return { text, columns: listMaskedColumns(catalog) };
    });
  }

  /**
   * Rejects a statement that names a relation with masked columns, or a view of such a relation, or that could reveal masked values
   * in another way.
   *
   * @throws ToolError POLICY_DENIED; errors of `Database.readOnly`
   */
  async requireUnmasked(statement: Statement, signal: AbortSignal): Promise<void> {
    const nodes = collectNodes(statement);
    if (!WRITES.has(statement.kind))
      throw maskedError(
        'while columns are masked, execute runs only INSERT, UPDATE, DELETE, MERGE, CREATE TABLE and CREATE INDEX',
        statement.kind,
        'other statements could change what the masks apply to; the operator may run them without this server',
      );
    requireNoRevealingCall(nodes);
    await this.#database.readOnly({ signal }, async ({ connection }) => {
      const names = [...new Set(nodes.flatMap(({ fields }) => listSpellings(fields)))];
      const { catalog, masking } = await this.#look(connection, { names });
      for (const oid of catalog.names.values()) requirePlain(masking, catalog.relations.get(oid));
    });
  }

  /**
   * Rejects a relation with masked columns, or a view of such a relation, which a tool reads or writes by its own SQL.
   *
   * @param wanted the name of the relation in the syntax of `regclass`
   * @param column the only column that is read; default: all columns
   * @throws ToolError POLICY_DENIED; errors of `Database.readOnly`
   */
  async requireUnmaskedRelation(wanted: string, signal: AbortSignal, column?: string): Promise<void> {
    await this.#database.readOnly({ signal }, async ({ connection }) => {
      const { catalog, masking } = await this.#look(connection, { names: [wanted] });
      const relation = catalog.relations.get(catalog.names.get(wanted) ?? '');
      if (relation !== undefined && masking.treat(relation) === 'masked' && isShown(relation, column)) return;
      requirePlain(masking, relation);
    });
  }

  /** Rejects rules with exact names that match no column. @throws ToolError POLICY_DENIED; errors of `Database.readOnly` */
  async requireMatched(signal: AbortSignal): Promise<void> {
    await this.#database.readOnly({ signal }, ({ connection }) => this.#read(connection, {}));
  }

  /** Returns the masks of relations, keyed by the OID of the relation, then by the name of the masked column. */
  async findColumns(
    connection: Connection,
    oids: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, MaskKind>>> {
    const { relations } = await this.#read(connection, { oids });
    return new Map([...relations].map(([oid, relation]) => [oid, collectMasks(relation)]));
  }

  async #look(connection: Connection, wanted: WantedRelations): Promise<LookedRelations> {
    const catalog = await this.#read(connection, wanted);
    const views = [...catalog.relations.values()].filter(({ kind, isSystem }) => !isSystem && VIEWS.has(kind));
    const texts =
      views.length === 0
        ? []
        : await readViewDefinitions(
            connection,
            views.map(({ oid }) => oid),
          );
    const definitions = new Map<string, ParsedText>();
    const revealing = new Set<string>();
    for (const [oid, text] of texts) {
      const [statement] = await parseSql(text);
      if (statement === undefined || collectCalls(collectNodes(statement)).some(reveals)) revealing.add(oid);
      if (statement !== undefined) definitions.set(oid, { statement, text });
    }
    return { catalog, definitions, masking: new Masking(catalog, revealing) };
  }

  async #read(connection: Connection, wanted: WantedRelations): Promise<MaskedCatalog> {
    const catalog = await readMaskedCatalog(connection, this.#rules, wanted);
    const [unmatched] = catalog.unmatched;
    if (unmatched === undefined) return catalog;
    throw maskedError(
      `the masked column of --mask ${unmatched.text} does not exist, so nothing is read`,
      unmatched.text,
      'the operator must correct the option; a rule for one of several databases begins with its id and a colon',
    );
  }
}

interface LookedRelations {
  readonly catalog: MaskedCatalog;
  readonly masking: Masking;
  /** Definitions of the views that a statement reads, keyed by OID. */
  readonly definitions: ReadonlyMap<string, ParsedText>;
}

function requirePlain(masking: Masking, relation: CatalogRelation | undefined): void {
  if (relation === undefined || masking.treat(relation) === 'plain') return;
  const name = nameOf(relation);
  throw maskedError(`${name} has masked columns, or reads such columns`, name, 'query reads it with the masks applied');
}

function requireNoRevealingCall(nodes: readonly SyntaxNode[]): void {
  const call = collectCalls(nodes).find(reveals);
  if (call !== undefined)
    throw maskedError(`the function ${call.name} may return values of masked columns`, call.name, 'remove the call');
}

/** Returns true if a column exists and is not masked. The name may be written in upper case, as in SQL. */
function isShown({ columns }: CatalogRelation, column: string | undefined): boolean {
  const found = columns.find(({ name }) => name === column) ?? columns.find(({ name }) => name === column?.toLowerCase());
  return found?.mask === null;
}

/** Returns true for a function that may return values of any table. PostgreSQL does not record that a view calls such a function. */
function reveals(call: CalledName): boolean {
  return runsSql(call) || (call.kind === 'function' && isRevealingFunction(call.name));
}

/**
 * Returns the names of the relation that a node may mean, in the syntax of `regclass`; empty for any other node. The encoding of
 * the server decides how letters outside ASCII are spelled.
 */
function listSpellings({ relname, schemaname }: Fields): readonly string[] {
  if (typeof relname !== 'string') return [];
  const schemas = typeof schemaname === 'string' ? [[schemaname], [foldName(schemaname)]] : [[]];
  return schemas.flatMap((schema) => [relname, foldName(relname)].map((name) => quoteQualified([...schema, name])));
}

function findSpelled(catalog: MaskedCatalog, masking: Masking, fields: Fields): CatalogRelation | undefined {
  const oids = new Set(listSpellings(fields).flatMap((name) => catalog.names.get(name) ?? []));
  const found = [...oids].flatMap((oid) => catalog.relations.get(oid) ?? []);
  if (found.length > 1) for (const relation of found) requirePlain(masking, relation);
  return found[0];
}

/** Finds a relation by a name in the definition of a view, where only relations of `pg_catalog` and WITH queries have no schema. */
function findByName({ relations }: MaskedCatalog, { relname, schemaname = 'pg_catalog' }: Fields): CatalogRelation | undefined {
  if (typeof relname !== 'string') return undefined;
  return [...relations.values()].find(({ schema, name }) => name === relname && schema === schemaname);
}

function listMaskedColumns({ relations }: MaskedCatalog): readonly string[] {
  return [...relations.values()].flatMap((relation) =>
    [...collectMasks(relation)].map(([column, kind]) => `${relation.schema}.${relation.name}.${column} (${kind})`),
  );
}

function collectMasks({ columns }: CatalogRelation): ReadonlyMap<string, MaskKind> {
  return new Map(columns.flatMap(({ name, mask }) => (mask === null ? [] : [[name, mask] as const])));
}

/** Values of `pg_class.relkind` for views and materialized views. */
const VIEWS: ReadonlySet<string> = new Set(['v', 'm']);

/** Statements that cannot change to which columns the rules apply. */
const WRITES: ReadonlySet<string> = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt', 'CreateStmt', 'IndexStmt']);
