/** What came of a reference that was pushed. */
export interface PushedLine {
  readonly outcome: 'new' | 'updated' | 'forced' | 'deleted' | 'up_to_date' | 'rejected';
  /** Its full name at the remote. */
  readonly ref: string;
  /** Full object names, where git tells them. */
  readonly before?: string;
  readonly after?: string;
  /** Why it was rejected, in git's or the remote's words. */
  readonly reason?: string;
}

const OUTCOMES: Readonly<Record<string, PushedLine['outcome']>> = {
  '*': 'new',
  ' ': 'updated',
  '+': 'forced',
  '-': 'deleted',
  '=': 'up_to_date',
  '!': 'rejected',
};
const LINE = /^([*+\-=! ])\t([^\t]*):([^\t:]+)\t([^]*)$/;
const RANGE = /^([0-9a-f]{40,64})\.{2,3}([0-9a-f]{40,64})/;

/** The output of `git push --porcelain` with `core.abbrev=no`. */
export function parsePush(stdout: Buffer): readonly PushedLine[] {
  return stdout
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [, flag = '', , ref = '', summary = ''] = LINE.exec(line) ?? [];
      const outcome = OUTCOMES[flag];
      if (outcome === undefined) return [];
      const [, before, after] = RANGE.exec(summary) ?? [];
      const reason = outcome === 'rejected' ? { reason: summary } : {};
      return [{ outcome, ref, ...(before !== undefined && { before }), ...(after !== undefined && { after }), ...reason }];
    });
}
