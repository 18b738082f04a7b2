import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { SECTIONS, readPage, readTitle } from './pages.mjs';

/**
 * Writes the files for language models: `llms.txt`, a list of all pages with their first paragraphs, and `llms-full.txt`, the text of
 * all pages.
 */
export function writeTextsForModels(directory, { title, description }) {
  const sections = SECTIONS.map(({ title: name, pages }) => ({ name, pages: pages.map(toPage) }));
  const list = sections.map(({ name, pages }) => `## ${name}\n\n${pages.map(toLine).join('\n')}`);
  writeFileSync(join(directory, 'llms.txt'), `# ${title}\n\n> ${description}\n\n${list.join('\n\n')}\n`);
  const texts = sections.flatMap(({ pages }) => pages.map(({ text }) => text));
  writeFileSync(join(directory, 'llms-full.txt'), texts.join('\n\n---\n\n'));
}

function toPage(page) {
  const text = readPage(page) ?? '';
  const [, paragraph = ''] = /^# .+\n\n((?:[^\n#|<`-].*\n?)+)/m.exec(text) ?? [];
  return { page, text, title: readTitle(text), summary: paragraph.replaceAll('\n', ' ').trim() };
}

function toLine({ page, title, summary }) {
  return `- [${title}](/${page.replace(/(?:^|\/)index$/, '') || ''})${summary === '' ? '' : `: ${summary}`}`;
}
