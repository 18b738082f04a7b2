import { ToolError } from '@org/mcp-decorators';

import type { ReadOnlyDatabase } from '../../database/query/read-only-database.ts';
import type { Row } from '../../../rows/format.ts';
import type { CalledName } from './called-names.ts';
import { findHolders } from './containing-types.ts';
import { isHarmless, readsAnyType, runsSql } from './known-functions.ts';
import { foldName } from '../parse/syntax-tree.ts';

/** A function, operator, type or row type of the database whose use could do more than compute. */
interface RiskyFunction {
  readonly kind: string;
  readonly schema: string;
  readonly name: string;
  /** Name of the extension of the function, `pg_catalog` for functions of PostgreSQL, or empty for functions of users. */
  readonly owner: string;
  readonly minArguments: number;
  /** Maximum number of arguments; Infinity for a variadic function. */
  readonly maxArguments: number;
  readonly volatile: boolean;
  readonly securityDefiner: boolean;
  /** Whether the function is written in an untrusted language, in which a function may do anything on the server. */
  readonly untrusted: boolean;
  /** OID of the domain whose values the function checks; `undefined` for functions that check no domain. */
  readonly checks: string | undefined;
}

type RiskyFunctionsByName = ReadonlyMap<string, readonly RiskyFunction[]>;

/** The risky functions of a database, and when they were loaded. */
interface LoadedFunctions {
  readonly at: number;
  readonly functions: Promise<RiskyFunctionsByName>;
  found?: RiskyFunctionsByName;
}

/** Rejects statements that call risky functions of a database. */
export class RiskyFunctions {
  readonly #database: ReadOnlyDatabase;
  readonly #isStrict: boolean;
  readonly #isMasked: boolean;
  #loaded: LoadedFunctions | undefined;

  /** @param isMasked whether columns are masked, so that functions of users, which may read any table, are risky */
  constructor(database: ReadOnlyDatabase, { isStrict, isMasked }: { readonly isStrict: boolean; readonly isMasked: boolean }) {
    this.#database = database;
    this.#isStrict = isStrict;
    this.#isMasked = isMasked;
  }

  /** @throws ToolError POLICY_DENIED if a call reaches a risky function; the errors of `Database.readOnly` */
  async requireHarmless(calls: readonly CalledName[], signal: AbortSignal): Promise<void> {
    await this.#require(calls, (candidate) => this.#findBrokenRule(candidate), signal);
  }

  /**
   * Rejects calls of functions that run a text as SQL, and of functions of users, which may read masked columns.
   *
   * @throws ToolError POLICY_DENIED for such a call; the errors of `Database.readOnly`
   */
  async requireNoUserFunctions(calls: readonly CalledName[], signal: AbortSignal): Promise<void> {
    await this.#require(calls, ({ owner }) => (owner === '' ? 'masked' : undefined), signal);
  }

  async #require(
    calls: readonly CalledName[],
    findBrokenRule: (candidate: RiskyFunction) => string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const dangerous = calls.find(runsSql);
    if (dangerous !== undefined) throw denied('runs-sql', dangerous, '--policy off');
    if (calls.length === 0) return;
    const asked = this.#loadRecent();
    const functions = asked.found ?? (await raceAbort(asked.functions, signal));
    for (const call of calls) {
      for (const candidate of findReached(call, functions)) {
        const rule = findBrokenRule(candidate);
        if (rule !== undefined) throw denied(rule, call, rule === 'masked' ? '--mask' : findAllowingOption(candidate));
      }
    }
  }

  /** Returns the rule that a call of the function breaks, or `undefined`. */
  #findBrokenRule(candidate: RiskyFunction): string | undefined {
    const ofUsers = candidate.owner === '';
    if (ofUsers && candidate.untrusted) return 'untrusted-language';
    if (ofUsers && this.#isMasked) return 'masked';
    if (ofUsers && !this.#isStrict) return undefined;
    if (candidate.securityDefiner) return 'security-definer';
    return candidate.volatile && !isHarmless(candidate) ? 'volatile-function' : undefined;
  }

  #loadRecent(): LoadedFunctions {
    const now = performance.now();
    if (this.#loaded !== undefined && now - this.#loaded.at < FRESH_MS) return this.#loaded;
    const asked: LoadedFunctions = { at: now, functions: loadRiskyFunctions(this.#database, this.#isMasked) };
    this.#loaded = asked;
    asked.functions.then(
      (found) => {
        asked.found = found;
      },
      () => {
        if (this.#loaded === asked) this.#loaded = undefined;
      },
    );
    return asked;
  }
}

// A cancelled call must not cancel the query for other calls that wait for the same answer.
function raceAbort<Answer>(asked: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const end = (): void => reject(signal.reason);
    signal.addEventListener('abort', end);
    asked.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/**
 * Time for which the functions are cached. A function that is created during this time is restricted only by the read-only
 * transaction.
 */
const FRESH_MS = 10_000;

/** Key under which all functions that check values of domains are listed. */
const CHECKS = 'checks';

async function loadRiskyFunctions(database: ReadOnlyDatabase, isMasked: boolean): Promise<RiskyFunctionsByName> {
  const rows = await database.rows(RISKY, [String(isMasked)], new AbortController());
  const all = rows.map(toRiskyFunction);
  const checked = all.filter(({ checks }) => checks !== undefined);
  const types = [...new Set(checked.flatMap(({ checks }) => checks ?? []))];
  for (const { kind, schema, name, type } of await findHolders(types, database))
    all.push(...checked.filter(({ checks }) => checks === type).map((risky) => ({ ...risky, kind, schema, name })));
  const found = new Map<string, RiskyFunction[]>([[CHECKS, checked]]);
  for (const risky of all) {
    const key = `${risky.kind} ${foldName(risky.name)}`;
    const others = found.get(key);
    if (others === undefined) found.set(key, [risky]);
    else others.push(risky);
  }
  return found;
}

function toRiskyFunction([kind, schema, name, owner, least, most, ...rest]: Row): RiskyFunction {
  const [volatile, securityDefiner, untrusted] = rest.map((flag) => flag === 't');
  return {
    kind: kind ?? '',
    schema: schema ?? '',
    name: name ?? '',
    owner: owner ?? '',
    minArguments: Number(least),
    maxArguments: most === null ? Number.POSITIVE_INFINITY : Number(most),
    volatile: volatile === true,
    securityDefiner: securityDefiner === true,
    untrusted: untrusted === true,
    checks: rest[3] ?? undefined,
  };
}

function findReached(call: CalledName, functions: RiskyFunctionsByName): readonly RiskyFunction[] {
  const named = functions.get(`${call.kind} ${call.name}`)?.filter((candidate) => matches(call, candidate)) ?? [];
  return readsAnyType(call) ? [...named, ...(functions.get(CHECKS) ?? [])] : named;
}

function matches(call: CalledName, { schema, minArguments, maxArguments }: RiskyFunction): boolean {
  if (call.schema !== undefined && call.schema !== foldName(schema)) return false;
  const given = call.arguments;
  return given === undefined || (given >= minArguments && given <= maxArguments);
}

function findAllowingOption({ owner, untrusted }: RiskyFunction): string {
  return owner === '' && !untrusted ? '--policy standard' : '--policy off';
}

const REASONS: Readonly<Record<string, string>> = {
  'runs-sql': 'runs SQL from a text argument',
  'untrusted-language': 'is written in a language that may do anything on the database server',
  'security-definer': 'runs with the rights of its owner',
  masked: 'belongs to a user, and could read masked columns',
  'volatile-function': 'is volatile and could do more than compute',
};

const CONVERSIONS: Readonly<Record<string, string>> = {
  row: 'a check of the row type',
  column: 'a check of the type of a column',
  value: 'a cast of the row or a column',
};

function denied(rule: string, { kind, name }: CalledName, option: string): ToolError {
  const what = Object.hasOwn(CONVERSIONS, kind) ? `${CONVERSIONS[kind] ?? ''} of ${name}` : `the ${kind} ${name}`;
  return new ToolError('POLICY_DENIED', `${what} ${REASONS[rule] ?? ''}`, {
    hint:
      rule === 'masked' ? 'write the expression of the function into the statement' : `the operator may allow it with ${option}`,
    data: { rule, name, option },
  });
}

// An aggregate calls its own support functions, regardless of its declared volatility. User-defined types also call functions, and
// so do arrays, ranges, domains and rows that contain such types.
const RISKY = `
  with risky as (
    select p.oid, p.proname, n.nspname, p.pronargs, p.pronargdefaults, p.provariadic, p.provolatile, p.prosecdef, l.lanpltrusted,
      case when p.oid < 16384 and n.nspname = 'pg_catalog' then 'pg_catalog' else coalesce((
        select e.extname from pg_depend d join pg_extension e on e.oid = d.refobjid
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'), '') end as owner
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
    where p.provolatile = 'v' or p.prosecdef or (p.oid >= 16384 and not l.lanpltrusted and p.prokind <> 'a')
      or ($1::bool and (p.oid >= 16384 or n.nspname not in ('pg_catalog', 'information_schema')))),
  checked as (
    select d.refobjid as function, k.contypid as type from pg_constraint k join pg_depend d on d.objid = k.oid
    where k.contypid >= 16384 and d.classid = 'pg_constraint'::regclass and d.refclassid = 'pg_proc'::regclass
    union
    select o.oprcode, k.contypid from pg_constraint k join pg_depend d on d.objid = k.oid join pg_operator o on o.oid = d.refobjid
    where k.contypid >= 16384 and d.classid = 'pg_constraint'::regclass and d.refclassid = 'pg_operator'::regclass),
  types as (
    select c.castfunc as function, t.oid, null::oid as checked from pg_cast c join pg_type t on t.oid in (c.castsource, c.casttarget)
    union all
    select function, type, type from checked)
  select 'function', nspname, proname, owner, greatest(0, pronargs - pronargdefaults - (provariadic <> 0)::int),
    case when provariadic = 0 then pronargs end, provolatile = 'v', prosecdef, not lanpltrusted, null::oid
  from risky
  union all
  select 'function', n.nspname, p.proname, r.owner, 0, null, r.provolatile = 'v', r.prosecdef, not r.lanpltrusted, null
  from pg_aggregate a
    cross join unnest(array[aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn, aggminvtransfn, aggmfinalfn]::oid[]) step
    join risky r on r.oid = step join pg_proc p on p.oid = a.aggfnoid join pg_namespace n on n.oid = p.pronamespace
  union all
  select 'operator', o.nspname, opr.oprname, r.owner, 1, 2, r.provolatile = 'v', r.prosecdef, not r.lanpltrusted, null
  from risky r join pg_operator opr on opr.oprcode = r.oid join pg_namespace o on o.oid = opr.oprnamespace
  union all
  select 'type', n.nspname, t.typname, r.owner, 0, null, r.provolatile = 'v', r.prosecdef, not r.lanpltrusted, types.checked
  from types join risky r on r.oid = types.function join pg_type t on t.oid = types.oid and t.oid >= 16384
    join pg_namespace n on n.oid = t.typnamespace
  union all
  select 'value', n.nspname, used.name, r.owner, 0, null, r.provolatile = 'v', r.prosecdef, not r.lanpltrusted, null
  from pg_cast k join risky r on r.oid = k.castfunc join pg_type t on t.oid = k.castsource and t.oid >= 16384
    cross join lateral (
      select c.relname, c.relnamespace from pg_class c where c.reltype = t.oid or exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and a.atttypid in (t.oid, t.typarray))
      union all
      select p.proname, p.pronamespace from pg_proc p where p.prorettype in (t.oid, t.typarray)) used(name, schema)
    join pg_namespace n on n.oid = used.schema
  where k.castcontext = 'i'`;
