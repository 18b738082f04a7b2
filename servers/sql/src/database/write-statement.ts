import { ReadStatement, type ReadRequest } from './read-statement.ts';

/** One statement of whatever kind, run to its end: rows that nobody takes are counted and dropped. */
export class WriteStatement extends ReadStatement {
  constructor(request: Pick<ReadRequest, 'sql' | 'params' | 'onRow'>) {
    super({ ...request, kind: 'direct', limit: 0 });
  }
}
