import { QueryTools } from './query-tools.ts';

/** Tools that show how a database server is doing. */
export abstract class ObservingTools extends QueryTools {}
