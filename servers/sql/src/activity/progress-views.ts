/** How a view of `pg_stat_progress_*` says the same things as the others; each is SQL. */
export interface ProgressView {
  readonly command: string;
  /** The table it works on, as an object identifier. */
  readonly relation: string;
  readonly phase: string;
  readonly done: string;
  readonly total: string;
  readonly unit: string;
}

/** By what follows `pg_stat_progress_`. */
export const PROGRESS_VIEWS: Readonly<Record<string, ProgressView>> = {
  analyze: {
    command: `'ANALYZE'`,
    relation: 'relid',
    phase: 'phase',
    done: 'sample_blks_scanned',
    total: 'sample_blks_total',
    unit: 'blocks',
  },
  basebackup: {
    command: `'BASE BACKUP'`,
    relation: 'null::oid',
    phase: 'phase',
    done: 'backup_streamed',
    total: 'backup_total',
    unit: 'bytes',
  },
  cluster: {
    command: 'command',
    relation: 'relid',
    phase: 'phase',
    done: 'heap_blks_scanned',
    total: 'heap_blks_total',
    unit: 'blocks',
  },
  copy: {
    command: 'command',
    relation: 'relid',
    phase: `lower(type) || ', ' || tuples_processed || ' rows'`,
    done: 'bytes_processed',
    total: 'bytes_total',
    unit: 'bytes',
  },
  // It counts blocks while it reads the table and rows while it loads them into the index.
  create_index: {
    command: 'command',
    relation: 'relid',
    phase: 'phase',
    done: 'case when blocks_total > 0 then blocks_done else tuples_done end',
    total: 'case when blocks_total > 0 then blocks_total else tuples_total end',
    unit: 'blocks or rows',
  },
  vacuum: {
    command: `'VACUUM'`,
    relation: 'relid',
    phase: 'phase',
    done: 'heap_blks_scanned',
    total: 'heap_blks_total',
    unit: 'blocks',
  },
};
