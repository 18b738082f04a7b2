import { Integer, Text } from '@org/mcp-decorators';

import { MAX_OBJECT_NAME } from '../catalog/object-name.ts';

/** Which database is meant, and how long the call may take, at most and by default as long as `--timeout-ms` allows; every tool asks that. */
export class DatabaseInput {
  @Text('Id of list_databases; default: first', { optional: true, maxLength: MAX_OBJECT_NAME }) database?: string;
  @Integer('Stop after this many milliseconds', { optional: true, min: 1 }) timeout_ms?: number;
}
