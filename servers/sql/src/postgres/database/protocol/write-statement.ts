import { ReadStatement, type ReadRequest } from './read-statement.ts';

/** One statement of any kind, which runs to its end. */
export class WriteStatement extends ReadStatement {
  constructor(request: Pick<ReadRequest, 'sql' | 'params' | 'onRow'>) {
    super({ ...request, kind: 'direct', limit: 0 });
  }
}
