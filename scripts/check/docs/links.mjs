import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { ROOT } from '../../workspace/run.mjs';
import { readAnchors, withoutCode } from './anchors.mjs';

const SITE = 'https://github.com/org/mcp/';
const LINKS = /!?\[(?:[^\]\\]|\\.)*\]\(([^)\s]+)(?: "[^"]*")?\)|(?:src|href|srcset)="([^"]+)"/g;

/** Returns the links of Markdown files that lead to no file, heading or page. Other sites are not requested. */
export function findDeadLinks(files) {
  return files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const targets = Array.from(withoutCode(text).matchAll(LINKS), ([, markdown, html]) => markdown ?? html);
    return targets
      .map((target) => ({ target, problem: findProblem(target, file, text) }))
      .filter(({ problem }) => problem !== undefined)
      .map(({ target, problem }) => `${file}: the link ${target} ${problem}`);
  });
}

function findProblem(target, file, text) {
  if (target.startsWith(SITE)) return findRepositoryProblem(target.slice(SITE.length));
  if (/^[a-z]+:/.test(target)) return undefined;
  const [path, anchor] = target.split('#');
  if (path === '') return readAnchors(text).has(anchor) ? undefined : 'names no heading of the page';
  return findFileProblem(join(ROOT, dirname(file), decodeURI(path)), anchor, file);
}

function findFileProblem(found, anchor, file) {
  if (!existsSync(found)) return 'names no file';
  // The site consists of the pages in docs/, so it cannot follow a link to another folder.
  if (file.startsWith('docs/') && !file.startsWith('docs/decisions/') && relative(join(ROOT, 'docs'), found).startsWith('..'))
    return `leaves docs/; use ${SITE}tree/main/…`;
  return anchor === undefined || readAnchorsAt(found).has(anchor) ? undefined : 'names no heading of that page';
}

/** Returns the problem of a link to a file or a directory of the repository on GitHub; `undefined` for any other page. */
function findRepositoryProblem(path) {
  const [kind, branch, ...rest] = path.split('#')[0].split('/');
  if (!['tree', 'blob'].includes(kind)) return undefined;
  const found = join(ROOT, ...rest);
  if (branch !== 'main' || !existsSync(found)) return 'names no file of the branch main';
  if (statSync(found).isDirectory() !== (kind === 'tree')) return `needs ${kind === 'tree' ? 'blob' : 'tree'}`;
  const anchor = path.split('#')[1];
  return anchor === undefined || readAnchorsAt(found).has(anchor) ? undefined : 'names no heading of that page';
}

function readAnchorsAt(path) {
  const page = statSync(path).isDirectory() ? join(path, 'README.md') : path;
  return readAnchors(readFileSync(page, 'utf8'));
}
