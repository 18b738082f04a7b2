/** How far a command is that reports its progress to the server. */
export interface CommandStep {
  /** `CREATE INDEX`, `VACUUM`, `COPY FROM`. */
  readonly command: string;
  /** In the server's words, where the command has phases. */
  readonly phase: string | undefined;
  /** What it works on, quoted where it has to be. */
  readonly relation: string | undefined;
  readonly done: number;
  /** 0 if the server does not know. */
  readonly total: number;
  /** What is counted: `blocks`, `bytes`, `tuples`, `lockers`. */
  readonly unit: string;
}

/**
 * Columns of each view in the order of {@link STEP_COLUMNS}, after `pid`. While the first block of a table is indexed PostgreSQL tells
 * that all of them are.
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

/** The columns of {@link progressRows} after `pid`. */
export const STEP_COLUMNS = 'command, phase, relation, done, total, unit';

/**
 * A query of all commands that report their progress, with the columns `pid` and {@link STEP_COLUMNS}.
 *
 * @param names the views that are there, by what follows `pg_stat_progress_`; those it does not know are left out
 */
export function progressRows(names: readonly string[]): string {
  const known = names.flatMap((name) =>
    Object.hasOwn(VIEWS, name) ? [`select pid, ${VIEWS[name]} from pg_stat_progress_${name}`] : [],
  );
  const none = 'select null::int, null::text, null::text, null::text, null::bigint, null::bigint, null::text where false';
  return `select * from (${[none, ...known].join(' union all ')}) step (pid, ${STEP_COLUMNS})`;
}

/** A row's {@link STEP_COLUMNS}; nothing without a command. */
export function stepOf(row: readonly (string | null | undefined)[]): CommandStep | undefined {
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
