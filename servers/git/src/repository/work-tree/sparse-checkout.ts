import { configureHooks } from '../hooks.ts';
import { unquoteCString } from '../parse/c-string.ts';
import { decodeBody, decodeNames, splitFields } from '../parse/fields.ts';
import { decodePath, encodePath } from '../parse/path-bytes.ts';
import type { Configuration } from '../process/environment.ts';
import type { Repository } from '../repository.ts';

/** Which files of the work tree are checked out: all, those in some directories, or those that match patterns. */
export type Sparsity =
  | { readonly kind: 'all' }
  | { readonly kind: 'directories'; readonly directories: readonly string[] }
  | { readonly kind: 'patterns'; readonly patterns: readonly string[] };

/**
 * Configuration for choosing directories. The index is not sparse: with a sparse index, git would remove ignored files from the
 * directories that are left out.
 */
const CONE: Configuration = { 'core.sparseCheckout': 'true', 'core.sparseCheckoutCone': 'true', 'index.sparse': 'false' };

/** Configuration with which git lists every entry that is marked as not checked out, even if its file exists. */
const FULL: Configuration = { 'core.sparseCheckout': 'false', 'index.sparse': 'false' };

/** Prefix with which `git ls-files -t` marks an entry that is not checked out. */
const SKIPPED = 'S ';

/** Returns which files of the work tree are checked out. */
export async function readSparsity(repository: Repository): Promise<Sparsity> {
  if (!(await readFlag(repository, 'core.sparseCheckout'))) return { kind: 'all' };
  const { code, stdout, stderr } = await repository.read(['sparse-checkout', 'list'], { codes: [0, 128] });
  // Without a file of patterns, git checks out all files.
  if (code !== 0) return { kind: 'all' };
  // Even with `core.sparseCheckoutCone`, git warns and lists the patterns if the patterns do not stand for directories.
  const isCone = (await readFlag(repository, 'core.sparseCheckoutCone')) && !stderr.includes('disabling cone pattern matching');
  return isCone
    ? { kind: 'directories', directories: parseDirectories(stdout) }
    : { kind: 'patterns', patterns: decodeBody(stdout).split('\n').filter(Boolean) };
}

function parseDirectories(stdout: Buffer): readonly string[] {
  const lines = stdout.toString('latin1').split('\n').filter(Boolean);
  return lines.map((line) => decodePath(unquoteCString(line)));
}

/**
 * Checks out only the files in some directories, in their parents, and at the top. Changed and untracked files are kept.
 *
 * @returns the directories without those that are inside another one
 */
export async function checkOutOnly(repository: Repository, directories: readonly string[]): Promise<readonly string[]> {
  await setFlags(repository, { 'core.sparseCheckout': 'true', 'core.sparseCheckoutCone': 'true' });
  const input = Buffer.concat(directories.flatMap((each) => [quoteLine(encodePath(each)), Buffer.from('\n')]));
  const config = { ...CONE, ...configureHooks(repository.policy).config };
  await repository.write(['sparse-checkout', 'set', '--stdin'], { input, config });
  return parseDirectories((await repository.read(['sparse-checkout', 'list'], { config: CONE })).stdout);
}

/**
 * Checks out all files. A file that exists although it was not checked out is kept. The directories remain in the file of patterns, as
 * with `git sparse-checkout disable`.
 */
export async function checkOutAll(repository: Repository): Promise<void> {
  const { stdout } = await repository.read(['ls-files', '-z', '-t'], { config: FULL });
  const skipped = splitFields(stdout).filter((entry) => entry.subarray(0, SKIPPED.length).toString('latin1') === SKIPPED);
  const input = Buffer.concat(skipped.flatMap((entry) => [entry.subarray(SKIPPED.length), Buffer.of(0)]));
  await setFlags(repository, { 'core.sparseCheckout': 'false' });
  if (skipped.length === 0) return;
  await repository.write(['update-index', '--no-skip-worktree', '-z', '--stdin'], { input, config: FULL });
  await repository.write(['checkout-index', '--index', '--quiet', '-z', '--stdin'], { input, config: FULL, codes: [0, 1] });
}

/** Lists tracked files that are still in the work tree although they are outside the directories, because they have changes. */
export async function listKeptFiles(repository: Repository, directories: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await repository.read(['diff-files', '-z', '--name-only', '--ignore-submodules=all']);
  return [...new Set(decodeNames(stdout))].filter((file) => !isCheckedOut(file, directories));
}

function isCheckedOut(file: string, directories: readonly string[]): boolean {
  const parent = toLatin1(file).split('/').slice(0, -1).join('/');
  return (
    parent === '' ||
    directories.map(toLatin1).some((each) => `${parent}/`.startsWith(`${each}/`) || each.startsWith(`${parent}/`))
  );
}

function toLatin1(path: string): string {
  return encodePath(path).toString('latin1');
}

async function readFlag(repository: Repository, key: string): Promise<boolean> {
  const { stdout } = await repository.read(['config', '--type=bool', '--get', key], { codes: [0, 1] });
  return stdout.toString('utf8') === 'true\n';
}

/** Sets flags of this work tree, or of the repository if its work trees share the configuration. */
async function setFlags(repository: Repository, flags: Readonly<Record<string, string>>): Promise<void> {
  const shared = ['config', '--type=bool', '--get', 'extensions.worktreeConfig'] as const;
  const { stdout } = await repository.administer(shared, { codes: [0, 1] });
  const place = stdout.toString('utf8') === 'true\n' ? '--worktree' : '--local';
  for (const [key, value] of Object.entries(flags)) await repository.administer(['config', place, key, value]);
}

/** Quotes a path as one line of input if it contains characters that have a special meaning in the input. */
function quoteLine(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  if (/^[\w./@+-]+$/.test(text)) return bytes;
  const escaped = text.replaceAll(/[^\w./ @+-]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return Buffer.from(`"${escaped}"`);
}
