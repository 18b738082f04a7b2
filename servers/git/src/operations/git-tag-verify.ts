import { Flag, Text } from '@org/mcp-decorators';

import { requireRefName } from '../repository/branch-name.ts';
import type { Repository } from '../repository/repository.ts';
import { signing } from '../repository/signing.ts';
import { requireTag } from '../repository/tags.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitTagVerifyInput extends RepositoryInput {
  @Text('A local tag') name!: string;
}

/** What is known of a tag's signature. */
export class VerifiedTag {
  @Text() name!: string;
  @Text() oid!: string;
  @Flag() signed!: boolean;
  @Flag('Made by a key that the user has, and not since changed') valid!: boolean;
  @Text({ optional: true }) signer?: string;
  @Text('Fingerprint or name of the key', { optional: true }) key?: string;
}

/**
 * Checks the signature of a tag with the user's own keys and programs, never with those that the repository names.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION
 */
export async function gitTagVerify(repository: Repository, { name }: GitTagVerifyInput): Promise<VerifiedTag> {
  await requireRefName(repository, 'tag', name);
  const { oid, annotated } = await requireTag(repository, name);
  if (!annotated) return { name, oid, signed: false, valid: false };
  const { code, stderr } = await repository.read(['verify-tag', '--raw', oid], {
    codes: [0, 1, 128],
    ...(await signing(repository)),
  });
  const [, key, signer] = /^\[GNUPG:\] (?:GOOD|BAD|EXP|EXPKEY|REVKEY|ERR)SIG (\S+)(?: (.*))?$/m.exec(stderr) ?? ssh(stderr);
  return {
    name,
    oid,
    signed: !/no signature found/.test(stderr),
    valid: code === 0,
    ...(signer !== undefined && signer !== '' && { signer }),
    ...(key !== undefined && { key }),
  };
}

/** `Good "git" signature for ann@example.com with ED25519 key SHA256:…`, in the order of the other form. */
function ssh(stderr: string): readonly (string | undefined)[] {
  const [, signer, key] = /^Good "git" signature (?:for (.+) )?with \S+ key (\S+)/m.exec(stderr) ?? [];
  return [undefined, key, signer];
}
