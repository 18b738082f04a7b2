import { ResultOptions } from './result-options.ts';

/** Options of the PostgreSQL server. */
export class PostgresOptions extends ResultOptions {}
