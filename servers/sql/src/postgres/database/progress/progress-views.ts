/** Progress of a command, as shown in a `pg_stat_progress_*` view. */
export interface CommandStep {
  /** The running command, such as `CREATE INDEX`, `VACUUM` or `COPY FROM`. */
  readonly command: string;
  /** Name of the phase in PostgreSQL; `undefined` if the command has no phases. */
  readonly phase: string | undefined;
  /** Name of the processed relation, quoted if necessary. */
  readonly relation: string | undefined;
  readonly done: number;
  /** Total number of units; 0 if the server does not know the total. */
  readonly total: number;
  /** Counted unit: `blocks`, `bytes`, `tuples`, `lockers`. */
  readonly unit: string;
}

/**
 * Columns of each view in the order of {@link STEP_COLUMNS}, after `pid`. While PostgreSQL indexes the first block of a table,
 * PostgreSQL reports all blocks as done. The modulo turns this number into 0.
 */
const VIEWS: Readonly<Record<string, string>> = {
  analyze: `'ANALYZE', phase, relid::regclass::text,
    case when phase like 'acquiring%' then sample_blks_scanned end, case when phase like 'acquiring%' then sample_blks_total end, 'blocks'`,
  basebackup: `'BASE_BACKUP', phase, null, backup_streamed, backup_total, 'bytes'`,
  cluster: `command, phase, relid::regclass::text,
    case phase when 'seq scanning heap' then heap_blks_scanned else heap_tuples_written end,
    case phase when 'seq scanning heap' then heap_blks_total end, case phase when 'seq scanning heap' then 'blocks' else 'tuples' end`,
  copy: `command, null, nullif(relid, 0)::regclass::text,
    case when bytes_total > 0 then bytes_processed else tuples_processed end, bytes_total, case when bytes_total > 0 then 'bytes' else 'tuples' end`,
  create_index: `command, phase, relid::regclass::text,
    case when phase like 'waiting%' then lockers_done when phase like '%tuples%' then tuples_done
      when phase = 'building index: scanning table' then blocks_done % greatest(blocks_total, 1) else blocks_done end,
    case when phase like 'waiting%' then lockers_total when phase like '%tuples%' then tuples_total else blocks_total end,
    case when phase like 'waiting%' then 'lockers' when phase like '%tuples%' then 'tuples' else 'blocks' end`,
  vacuum: `'VACUUM', phase, relid::regclass::text,
    case phase when 'scanning heap' then heap_blks_scanned when 'vacuuming heap' then heap_blks_vacuumed end,
    case when phase in ('scanning heap', 'vacuuming heap') then heap_blks_total end, 'blocks'`,
};

/** The columns of {@link buildProgressQuery} after `pid`. */
export const STEP_COLUMNS = 'command, phase, relation, done, total, unit';

/**
 * Returns a query for all running commands that report their progress, with the columns `pid` and {@link STEP_COLUMNS}.
 *
 * @param names existing views, without the prefix `pg_stat_progress_`; unknown views are omitted
 */
export function buildProgressQuery(names: readonly string[]): string {
  const known = names.flatMap((name) =>
    Object.hasOwn(VIEWS, name) ? [`select pid, ${VIEWS[name]} from pg_stat_progress_${name}`] : [],
  );
  const none = 'select null::int, null::text, null::text, null::text, null::bigint, null::bigint, null::text where false';
  return `select * from (${[none, ...known].join(' union all ')}) step (pid, ${STEP_COLUMNS})`;
}

/** Parses the {@link STEP_COLUMNS} of a row. Returns `undefined` if no command runs. */
export function parseStep(row: readonly (string | null | undefined)[]): CommandStep | undefined {
  const [command, phase, relation, done, total, unit] = row;
  if (typeof command !== 'string') return undefined;
  return {
    command,
    phase: phase ?? undefined,
    relation: relation ?? undefined,
    done: Number(done ?? 0),
    total: Number(total ?? 0),
    unit: unit ?? '',
  };
}
