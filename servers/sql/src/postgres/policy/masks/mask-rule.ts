import { UsageError } from '@org/mcp-host';

/**
 * How the values of a masked column appear. `null`: every value is NULL. `redact`: a text is `***`. `last4`: a text is `****`,
 * followed by its last four characters if it has at least eight characters. NULL stays NULL. Columns that are not texts are
 * always NULL.
 */
export type MaskKind = 'null' | 'redact' | 'last4';

/** A name of the catalog, or a pattern in which `*` means any characters. */
interface NamePattern {
  /** The exact name; `undefined` for a pattern. */
  readonly exact: string | undefined;
  /** The pattern as a regular expression of PostgreSQL; `undefined` for an exact name. */
  readonly pattern: string | undefined;
}

/** The columns that one `--mask` selects, and how their values appear. */
export interface MaskRule {
  /** The rule as the operator wrote it. */
  readonly text: string;
  /** Id of the only database to which the rule applies. Default: all databases. */
  readonly database: string | undefined;
  readonly schema: NamePattern;
  readonly table: NamePattern;
  readonly column: NamePattern;
  readonly kind: MaskKind;
}

/**
 * Parses `[DATABASE:]schema.table.column[=null|redact|last4]`.
 *
 * Throws a `UsageError` for any other text.
 */
export function parseMaskRule(text: string): MaskRule {
  const { database, schema, table, column, kind = 'null' } = RULE.exec(text)?.groups ?? {};
  if (schema === undefined || table === undefined || column === undefined || !isMaskKind(kind))
    throw new UsageError(
      `--mask ${JSON.stringify(text)} cannot be used: [DATABASE:]schema.table.column[=null|redact|last4] is expected, such as crm.customers.email=redact`,
    );
  return { text, database, schema: toPattern(schema), table: toPattern(table), column: toPattern(column), kind };
}

function isMaskKind(kind: string): kind is MaskKind {
  return KINDS.has(kind);
}

function toPattern(part: string): NamePattern {
  if (part.startsWith('"')) return { exact: part.slice(1, -1).replaceAll('""', '"'), pattern: undefined };
  if (!part.includes('*')) return { exact: part, pattern: undefined };
  const pieces = part.split('*').map((piece) => piece.replaceAll(/[^\w]/g, String.raw`\$&`));
  return { exact: undefined, pattern: `^${pieces.join('.*')}$` };
}

const KINDS: ReadonlySet<string> = new Set(['null', 'redact', 'last4'] satisfies MaskKind[]);
const PART = String.raw`"(?:[^"]|"")+"|[^."=:\u0000- ]+`;
const RULE = new RegExp(
  String.raw`^(?:(?<database>[\w.-]+):)?(?<schema>${PART})\.(?<table>${PART})\.(?<column>${PART})(?:=(?<kind>\w+))?$`,
);
