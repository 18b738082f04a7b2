import type { SendableSql } from '../../policy/parse/sendable-sql.ts';
import { FORMATS, type Row } from '../../../rows/format.ts';
import type { DriverConnection } from './driver.ts';
import { ReadStatement } from './read-statement.ts';

/** A `COPY … FROM STDIN` statement that sends rows to the server. */
export class CopyStatement extends ReadStatement {
  readonly #rows: readonly Row[];

  constructor(sql: SendableSql, rows: readonly Row[]) {
    super({ sql, params: [], onRow: () => undefined, kind: 'direct', limit: 0 });
    this.#rows = rows;
  }

  override handleCopyInResponse(connection: DriverConnection): void {
    // The TSV format of this package is the text format of COPY.
    const { row } = FORMATS.tsv;
    connection.stream.write(message('d', Buffer.from(this.#rows.map(row).join(''))));
    connection.stream.write(message('c', Buffer.alloc(0)));
    // The server ignored the Sync that was sent with the statement, because a server that reads rows ignores Sync.
    connection.sync();
  }
}

function message(kind: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(kind);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
