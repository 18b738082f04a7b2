import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../workspace/run.mjs';

const LINK = /\]\(([^)\s]+)\)/g;
const HEADING = /^#+ (.+)$/gm;
const CODE = /^```.*?^```$/gms;

/**
 * Returns the problems that the page of a published package in a registry would have. Checks the addresses, the keywords, the
 * licence, the changelog, the command that installs the package, and the links of the README. The registry shows the README
 * without the other files of the repository.
 *
 * @param tarball directory of the extracted tarball
 * @param directory directory of the package, relative to the root
 */
export function findPageProblems(tarball, directory) {
  const manifest = readJson(join(tarball, 'package.json'));
  const readme = readFileSync(join(tarball, 'README.md'), 'utf8');
  const { repository } = readJson(join(ROOT, 'package.json'));
  const site = repository.url.replace(/^git\+|\.git$/g, '');
  const problems = findManifestProblems(manifest, { ...repository, directory, site });
  if (!existsSync(join(tarball, 'CHANGELOG.md'))) problems.push('CHANGELOG.md is missing');
  if (!isLicence(join(tarball, 'LICENSE'))) problems.push('LICENSE is missing or differs from LICENSE of the root');
  if (!new RegExp(`(npm install .*|npx (?:-y )?)${manifest.name}\\b`).test(readme))
    problems.push('README.md does not contain the command that installs the package');
  for (const [, target] of readme.replaceAll(CODE, '').matchAll(LINK))
    if (!resolves(target, { tarball, readme, site })) problems.push(`README.md: the link ${target} leads nowhere`);
  return problems.map((problem) => `${directory}: ${problem}`);
}

function findManifestProblems({ repository, homepage, bugs, keywords = [] }, { type, url, directory, site }) {
  const checks = {
    '"repository" is not that of the root with the "directory" of this package':
      JSON.stringify(repository) === JSON.stringify({ type, url, directory }),
    '"homepage" is not the README of this package in the repository': homepage === `${site}/tree/main/${directory}#readme`,
    '"bugs" is not the list of issues of the repository': bugs?.url === `${site}/issues`,
    '"keywords" has fewer than three words': keywords.length > 2,
  };
  return Object.keys(checks).filter((problem) => !checks[problem]);
}

function isLicence(path) {
  return existsSync(path) && readFileSync(path, 'utf8') === readFileSync(join(ROOT, 'LICENSE'), 'utf8');
}

/** Whether a link is an anchor of the page, a file of the tarball, a file or directory of the repository, or the URL of another site. */
function resolves(target, { tarball, readme, site }) {
  const [address, anchor] = target.split('#');
  if (address === '') return hasHeading(readme, anchor);
  if (!target.startsWith('https://')) return existsSync(join(tarball, address));
  if (!target.startsWith(`${site}/`)) return true;
  const [kind, branch, ...path] = address.slice(site.length + 1).split('/');
  const file = join(ROOT, ...path);
  if (branch !== 'main' || !existsSync(file) || statSync(file).isDirectory() !== (kind === 'tree')) return false;
  return anchor === undefined || hasHeading(readFileSync(kind === 'tree' ? join(file, 'README.md') : file, 'utf8'), anchor);
}

/** Whether a page has a heading with this anchor. GitHub and npm derive anchors from headings in the same way. */
function hasHeading(page, anchor) {
  const headings = Array.from(page.replaceAll(CODE, '').matchAll(HEADING), ([, text]) => text);
  return headings.some(
    (text) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-') === anchor,
  );
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
