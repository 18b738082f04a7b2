import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SECTIONS } from '../../docs/.vitepress/pages.mjs';
import { run } from '../workspace/run.mjs';
import { buildSite } from '../workspace/site.mjs';
import { findCodeProblems } from './docs/code.mjs';
import { findDeadLinks } from './docs/links.mjs';

/** Pages that the site leaves out. */
const LEFT_OUT = /^docs\/decisions\//;
/** Files that are not checked: generated changelogs and API reports, and the template of new packages. */
const NOT_READ = /(?:^|\/)CHANGELOG\.md$|\.api\.md$|^packages\/create\/template\//;

/**
 * Checks the sidebar, and the links and the code blocks of all pages, and builds the site. Resolves to an exit code and the
 * problems.
 */
export async function checkDocs() {
  const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md']);
  const files = output.split('\n').filter((file) => file !== '' && !NOT_READ.test(file));
  const problems = [
    ...findListProblems(files),
    ...findDeadLinks(files),
    ...(await findCodeProblems(files)),
    ...(await tryBuild()),
  ];
  return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
}

/** Returns the pages that the sidebar does not list, and entries of the sidebar without a page. */
function findListProblems(files) {
  const listed = new Set(SECTIONS.flatMap(({ pages }) => pages.map((page) => `docs/${page}.md`)));
  const pages = files.filter((file) => file.startsWith('docs/') && !LEFT_OUT.test(file));
  return [
    ...pages.filter((page) => !listed.has(page)).map((page) => `${page} is not listed in docs/.vitepress/pages.mjs`),
    ...[...listed]
      .filter((page) => !pages.includes(page))
      .map((page) => `${page} is listed in docs/.vitepress/pages.mjs but missing`),
  ];
}

async function tryBuild() {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-site-'));
  try {
    const { code, output } = await buildSite(directory);
    const warnings = output.split('\n').filter((line) => /warn|deprecat|\(!\)/i.test(line));
    return code === 0 ? warnings.map((line) => `site: ${line.trim()}`) : [`The site cannot be built:\n${output}`];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
