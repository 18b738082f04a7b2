import type { Connection } from 'pg';

import type { SendableSql } from '../policy/sendable-sql.ts';
import { FORMATS, type Row } from '../rows/format.ts';
import { WriteStatement } from './write-statement.ts';

/** `COPY … FROM STDIN`, and the rows that it is given. */
export class CopyStatement extends WriteStatement {
  readonly #rows: readonly Row[];

  constructor(sql: SendableSql, rows: readonly Row[]) {
    super({ sql, params: [], onRow: () => undefined });
    this.#rows = rows;
  }

  override handleCopyInResponse(connection: Connection): void {
    // The text format of COPY is what TSV is here.
    const { row } = FORMATS.tsv;
    connection.stream.write(message('d', Buffer.from(this.#rows.map(row).join(''))));
    connection.stream.write(message('c', Buffer.alloc(0)));
    // The one that was sent with the statement is not heard while it reads.
    connection.sync();
  }
}

function message(kind: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(kind);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
