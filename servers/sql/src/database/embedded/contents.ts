import { newPassword } from './new-password.ts';
import { readerSql } from './reader.ts';
import { SAMPLE_SQL } from './sample.ts';
import { SCHEMA_NEWS_SQL } from './schema-news.ts';
import { NO_WRITER_SQL, writerSql } from './writer.ts';

/** What an embedded server is to have before it is asked anything. */
export interface Contents {
  readonly sample: boolean;
  /** A role that may write. */
  readonly writable: boolean;
}

/** Passwords of the roles that are not the superuser. */
export interface RolePasswords {
  readonly reader: string;
  readonly writer: string;
}

export function newPasswords(): RolePasswords {
  return { reader: newPassword(), writer: newPassword() };
}

/** What gives an embedded server its contents; texts of one or more statements, that are run one after the other. */
export function contentsSql({ sample, writable }: Contents, { reader, writer }: RolePasswords): readonly string[] {
  return [
    SHORT_DERIVATION,
    readerSql(reader),
    ...(sample ? [SAMPLE_SQL] : []),
    `${writable ? writerSql(writer) : NO_WRITER_SQL}${SCHEMA_NEWS_SQL}`,
  ];
}

// Iterations are for passwords that somebody thought of. These are 192 random bits, and each connection would pay 2 ms for it.
const SHORT_DERIVATION = 'set scram_iterations = 1';
