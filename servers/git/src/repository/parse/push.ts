import { splitLines } from './fields.ts';

/** The result for one reference of a push. */
export interface PushedLine {
  readonly outcome: 'new' | 'updated' | 'forced' | 'deleted' | 'up_to_date' | 'rejected';
  /** Full name of the reference at the remote. */
  readonly ref: string;
  /** Full object name before the push, if git reports it. */
  readonly before?: string;
  readonly after?: string;
  /** Reason for a rejection, as git or the remote reported it. */
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

/** Parses the output of `git push --porcelain` with `core.abbrev=no`. */
export function parsePush(stdout: Buffer): readonly PushedLine[] {
  return splitLines(stdout).flatMap((line) => {
    const [, flag = '', , ref = '', summary = ''] = LINE.exec(line) ?? [];
    const outcome = OUTCOMES[flag];
    if (outcome === undefined) return [];
    const [, before, after] = RANGE.exec(summary) ?? [];
    const reason = outcome === 'rejected' ? { reason: summary } : {};
    return [{ outcome, ref, ...(before !== undefined && { before }), ...(after !== undefined && { after }), ...reason }];
  });
}
