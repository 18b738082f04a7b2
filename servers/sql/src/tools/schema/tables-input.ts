import { Text, TextList } from '@org/mcp-decorators';

import { MAX_OBJECT_NAME } from '../../catalog/object-name.ts';
import { DatabaseField, TimeoutField } from '../database-input.ts';

/** The parameters of tools that select tables and views. */
export class TablesInput {
  @DatabaseField() database?: string;
  @TimeoutField() timeout_ms?: number;

  @Text('Restrict to this schema; default: all except system schemas', { optional: true, maxLength: MAX_OBJECT_NAME })
  schema?: string;

  @TextList('Restrict to these tables and views; default: all', { optional: true, maxItems: 200, maxLength: MAX_OBJECT_NAME })
  tables?: string[];
}

/** How complete a result about tables is. */
interface ShownTables {
  readonly tables: number;
  readonly truncated: boolean;
  /** Whether columns of the shown table are missing, if the result shows only one table. */
  readonly cut?: boolean;
}

/** Returns a note about missing tables and columns; empty if nothing is missing. */
export function noteMissingTables({ tables, truncated, cut = false }: ShownTables): readonly string[] {
  const columns = 'This table has more columns than fit; the operator can raise --max-bytes.';
  const more = `${tables} ${tables === 1 ? 'table is' : 'tables are'} shown, and more exist: pass the names of the missing tables as the argument tables.`;
  const notes = [...(cut ? [columns] : []), ...(truncated ? [more] : [])];
  return notes.length === 0 ? [] : [`[${notes.join(' ')}]`];
}
