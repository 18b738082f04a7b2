import type { Loss as ShownLoss } from '@org/mcp-decorators';

/** What an operation would take away, looked up before anything is done. */
export interface Loss extends ShownLoss {
  /**
   * What the decision rests on besides HEAD: the oids of the refs concerned, a fingerprint of the changes. If any of it is
   * another when the operation begins, it is not done.
   */
  readonly seen: Readonly<Record<string, string>>;
}
