import { SqlResources } from './sql-resources.ts';

/** What to ask a model about a database, together with what it has to know of it. */
export abstract class SqlPrompts extends SqlResources {}
