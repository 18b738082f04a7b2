import { ToolError } from '@org/mcp-decorators';

import { quoteQualified } from '../parse/relation-name.ts';
import { foldName } from '../parse/syntax-tree.ts';
import { nameOf, type CatalogColumn, type CatalogRelation, type MaskedCatalog } from './masked-catalog.ts';

/**
 * How a statement may read a relation. `plain`: unchanged. `masked`: through a subquery that masks columns. `expanded`: through the
 * definition of the view, in which masked relations are replaced.
 */
export type Treatment = 'plain' | 'masked' | 'expanded';

/** Decides how statements may read the relations of a catalog. */
export class Masking {
  readonly #catalog: MaskedCatalog;
  readonly #revealing: ReadonlySet<string>;
  readonly #treatments = new Map<string, Treatment | ToolError>();

  /** @param revealing OIDs of views whose definitions call functions that may return values of any table */
  constructor(catalog: MaskedCatalog, revealing: ReadonlySet<string>) {
    this.#catalog = catalog;
    this.#revealing = revealing;
  }

  /** @throws ToolError POLICY_DENIED for a relation whose rows may contain masked values that cannot be masked */
  treat(relation: CatalogRelation): Treatment {
    const treatment = this.#evaluate(relation);
    if (treatment instanceof ToolError) throw treatment;
    return treatment;
  }

  #evaluate(relation: CatalogRelation): Treatment | ToolError {
    const known = this.#treatments.get(relation.oid) ?? this.#decide(relation);
    this.#treatments.set(relation.oid, known);
    return known;
  }

  #decide(relation: CatalogRelation): Treatment | ToolError {
    const { kind, isSystem, isListed, columns } = relation;
    if (revealsValues(relation))
      return maskedError(`${nameOf(relation)} may contain values of masked columns`, nameOf(relation), NO_STATISTICS);
    const own = columns.some(({ mask }) => mask !== null) ? 'masked' : 'plain';
    if (isSystem || isListed || (kind !== 'v' && kind !== 'm') || !this.#readsMasked(relation)) return own;
    if (kind === 'v') return 'expanded';
    return maskedError(
      `the materialized view ${nameOf(relation)} is computed from masked columns`,
      nameOf(relation),
      'the operator may name one of its own columns with --mask, after which its other columns are shown',
    );
  }

  #readsMasked({ oid, callsUsers, sources }: CatalogRelation): boolean {
    if (callsUsers || this.#revealing.has(oid)) return true;
    return sources.some((each) => {
      const source = this.#catalog.relations.get(each);
      return source !== undefined && this.#evaluate(source) !== 'plain';
    });
  }
}

/** Returns the SQL that reads a relation with its columns masked. Columns that the role may not read are omitted. */
export function selectMasked({ columns }: CatalogRelation, source: string): string {
  const list = columns.filter(({ isReadable }) => isReadable).map(selectColumn);
  return `SELECT ${list.join(', ')} FROM ${source}`;
}

function selectColumn({ name, type, isText, mask }: CatalogColumn): string {
  const column = quoteQualified([name]);
  if (mask === null) return column;
  if (mask === 'null' || !isText) return `NULL::${type} AS ${column}`;
  const text = `${column}::pg_catalog.text`;
  const shown =
    mask === 'redact'
      ? `'***'`
      : `CASE WHEN pg_catalog.length(${text}) OPERATOR(pg_catalog.>=) 8 THEN pg_catalog.concat('****', pg_catalog."right"(${text}, 4)) ELSE '****' END`;
  return `CASE WHEN ${column} IS NOT NULL THEN ${shown} END AS ${column}`;
}

/** Creates the error for a statement that cannot be run, because masked values would be shown or cannot be masked. */
export function maskedError(message: string, name: string, hint: string): ToolError {
  return new ToolError('POLICY_DENIED', message, { hint, data: { rule: 'masked', name, option: '--mask' } });
}

function revealsValues({ name, isSystem }: CatalogRelation): boolean {
  return isSystem ? REVEALING.has(foldName(name)) : STATISTICS_OF_EXTENSIONS.test(name);
}

/** Returns true for a function that returns texts of statements or statistics of columns. */
export function isRevealingFunction(name: string): boolean {
  return REVEALING_FUNCTIONS.has(name);
}

const NO_STATISTICS = 'while columns are masked, statistics about values and statements of other sessions cannot be read';

/** Relations with values of tables: statistics, and statements with their constants. */
const REVEALING: ReadonlySet<string> = new Set([
  'pg_cursors',
  'pg_prepared_statements',
  'pg_stat_activity',
  'pg_statistic',
  'pg_statistic_ext_data',
  'pg_stats',
  'pg_stats_ext',
  'pg_stats_ext_exprs',
]);

/** Names of views of extensions with statements or constants, such as pg_stat_statements. */
const STATISTICS_OF_EXTENSIONS = /^pg_(?:stat|qualstats)/;

const REVEALING_FUNCTIONS: ReadonlySet<string> = new Set([
  'pg_cursor',
  'pg_mcv_list_items',
  'pg_prepared_statement',
  'pg_stat_get_activity',
  'pg_stat_get_backend_activity',
  'pg_stat_statements',
]);
