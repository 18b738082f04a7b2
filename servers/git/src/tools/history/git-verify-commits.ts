import { Flag, Integer, ListOf, OneOf, Result, Text, escapeInvisible } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { decodeTexts, groupFields } from '../../repository/parse/fields.ts';
import { buildWalkArguments, resolveLogStart } from '../../repository/refs/log-position.ts';
import type { Repository } from '../../repository/repository.ts';
import { readSigningOptions } from '../../repository/signing.ts';
import { shortOid } from '../../text/format.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';

/** Maximum number of commits of a call. Each signature starts a program, which takes about 10 ms. */
const MAX_COMMITS = 200;

/** Results by the letter that git writes for `%G?`. */
const SIGNATURES = {
  G: 'valid',
  U: 'untrusted',
  X: 'expired',
  Y: 'expired_key',
  R: 'revoked_key',
  B: 'invalid',
  E: 'unverifiable',
  N: 'none',
} as const;

type Signature = (typeof SIGNATURES)[keyof typeof SIGNATURES];

export class GitVerifyCommitsInput extends RepositoryInput {
  @Text('Branch, tag, commit, A..B or A...B; default: HEAD', { optional: true }) revision?: string;
  @Integer('Maximum number of commits, newest first', { min: 1, max: MAX_COMMITS }) limit = 20;
}

export class VerifiedCommit {
  @Text() oid!: string;
  @Text() subject!: string;

  @OneOf(
    Object.values(SIGNATURES),
    'untrusted: made by a key that the user did not mark as trusted; unverifiable: the key or the program is missing',
  )
  signature!: Signature;

  @Text({ optional: true }) signer?: string;
  @Text('Fingerprint or name of the key', { optional: true }) key?: string;
}

export class VerifiedCommits {
  @ListOf(() => VerifiedCommit) commits!: VerifiedCommit[];
  @Flag('More commits exist', { optional: true }) truncated?: boolean;
}

/**
 * Verifies the signatures of commits with the keys and programs of the user, never with programs that the repository configures.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function gitVerifyCommits(
  repository: Repository,
  { revision = 'HEAD', limit }: GitVerifyCommitsInput,
): Promise<Result> {
  const start = buildWalkArguments(await resolveLogStart(repository, revision));
  const format = '--format=%H%x00%G?%x00%GS%x00%GF%x00%GK%x00%s';
  const { stdout } = await repository.read(
    ['log', '-z', `--max-count=${limit + 1}`, '--encoding=UTF-8', '--no-show-signature', format, ...start, '--'],
    await readSigningOptions(repository),
  );
  const found = groupFields(decodeTexts(stdout), FIELDS).map(parseCommit);
  for (const commit of found)
    if (commit.signature === 'none' && (await hasSignature(repository, commit.oid))) commit.signature = 'unverifiable';
  const commits = takeFittingItems(found.slice(0, limit), repository.limits.maxBytes);
  return formatVerified({ commits: [...commits], ...(commits.length < found.length && { truncated: true }) });
}

/**
 * Whether a commit contains a signature, or is too large to be examined. Git reports a signature as absent, too, if the program
 * that verifies the signature reports nothing.
 */
async function hasSignature(repository: Repository, oid: string): Promise<boolean> {
  const info = await repository.objectInfo(oid);
  if (info === undefined || info.size > MAX_BYTES) return true;
  const commit = await repository.content(info, oid, MAX_BYTES);
  return commit !== undefined && /^gpgsig(?:-sha256)? /m.test(commit.content.toString('latin1').split('\n\n', 1)[0] ?? '');
}

/** Maximum size of a commit that is examined, in bytes. Larger commits count as unverifiable. */
const MAX_BYTES = 1_048_576;

/** Number of fields of a commit in the output. */
const FIELDS = 6;

function parseCommit(fields: readonly string[]): VerifiedCommit {
  const [oid, letter, signer, fingerprint, key, subject] = fields as [string, string, string, string, string, string];
  const name = fingerprint === '' ? key : fingerprint;
  return {
    oid,
    subject,
    signature: isLetter(letter) ? SIGNATURES[letter] : 'invalid',
    ...(signer !== '' && { signer }),
    ...(name !== '' && { key: name }),
  };
}

function isLetter(letter: string): letter is keyof typeof SIGNATURES {
  return Object.hasOwn(SIGNATURES, letter);
}

function formatVerified(verified: VerifiedCommits): Result {
  const { commits, truncated = false } = verified;
  const lines = commits.map(({ oid, subject, signature, signer, key }) => {
    const by = signer === undefined ? '' : ` by ${escapeInvisible(signer)}`;
    const using = key === undefined ? '' : ` with ${escapeInvisible(key)}`;
    return `${shortOid(oid)} ${signature}${by}${using}: ${escapeInvisible(subject)}`;
  });
  const valid = commits.filter(({ signature }) => signature === 'valid').length;
  const summary = `Valid signatures: ${valid} of ${commits.length}`;
  const more = truncated ? ['… more commits exist: pass a range as revision, or raise limit'] : [];
  return Result.of(verified, commits.length === 0 ? 'No commits found' : [summary, ...lines, ...more].join('\n'));
}
