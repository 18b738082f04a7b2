import { Flag, Result, Text, escapeInvisible } from '@org/mcp-decorators';

import { requireRefName } from '../../repository/refs/branch-name.ts';
import { requireTag } from '../../repository/refs/tags.ts';
import type { Repository } from '../../repository/repository.ts';
import { readSigningOptions } from '../../repository/signing.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';

export class GitTagVerifyInput extends RepositoryInput {
  @Text('Local tag') name!: string;
}

/** The signature of a tag. */
export class VerifiedTag {
  @Text() name!: string;
  @Text() oid!: string;
  @Flag() signed!: boolean;
  @Flag('The signature matches the tag and a key of the user') valid!: boolean;
  @Text({ optional: true }) signer?: string;
  @Text('Fingerprint or name of the key', { optional: true }) key?: string;
}

/**
 * Verifies the signature of a tag with the keys and programs of the user, never with programs that the repository configures.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION
 */
export async function gitTagVerify(repository: Repository, input: GitTagVerifyInput): Promise<Result> {
  return formatVerified(await verifyTag(repository, input));
}

async function verifyTag(repository: Repository, { name }: GitTagVerifyInput): Promise<VerifiedTag> {
  await requireRefName(repository, 'tag', name);
  const { oid, annotated } = await requireTag(repository, name);
  if (!annotated) return { name, oid, signed: false, valid: false };
  const { code, stderr } = await repository.read(['verify-tag', '--raw', oid], {
    codes: [0, 1, 128],
    ...(await readSigningOptions(repository)),
  });
  const [, key, signer] =
    /^\[GNUPG:\] (?:GOOD|BAD|EXP|EXPKEY|REVKEY|ERR)SIG (\S+)(?: (.*))?$/m.exec(stderr) ?? parseSshSignature(stderr);
  return {
    name,
    oid,
    signed: !/no signature found/.test(stderr),
    valid: code === 0,
    ...(signer !== undefined && signer !== '' && { signer }),
    ...(key !== undefined && { key }),
  };
}

/**
 * Parses `Good "git" signature for ann@example.com with ED25519 key SHA256:…`. Returns key and signer at the positions that they
 * have in a match of the GnuPG pattern.
 */
function parseSshSignature(stderr: string): readonly (string | undefined)[] {
  const [, signer, key] = /^Good "git" signature (?:for (.+) )?with \S+ key (\S+)/m.exec(stderr) ?? [];
  return [undefined, key, signer];
}

function formatVerified(tag: VerifiedTag): Result {
  const name = escapeInvisible(tag.name);
  if (!tag.signed) return Result.of(tag, `${name} is not signed`);
  const signer = `${tag.signer === undefined ? '' : ` by ${escapeInvisible(tag.signer)}`}${tag.key === undefined ? '' : ` with ${escapeInvisible(tag.key)}`}`;
  return Result.of(tag, tag.valid ? `${name} is signed${signer}` : `${name} has an invalid signature${signer}`);
}
