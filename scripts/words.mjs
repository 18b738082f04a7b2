import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

import { codeProse } from './words/code-prose.mjs';
import { markdownProse } from './words/markdown-prose.mjs';
import { findPatterns } from './words/patterns.mjs';
import { readableFiles } from './words/readable-files.mjs';
import { ROOT } from './workspace/run.mjs';

const HELP = `Usage: npm run words -- [PATH…]

Checks comments, strings that people read, test titles, Markdown pages and
changesets for patterns of unclear English: sentences without a subject, verbs
of speech for software, and vague quantities. scripts/words/patterns.mjs lists
the patterns. Generated pages and changelogs are not checked.

Without a path, the whole repository. Exits with 1 if it finds a pattern.`;

process.exitCode = main(process.argv.slice(2));

function main(args) {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(HELP);
    return 0;
  }
  const paths = args.length === 0 ? [ROOT] : args.map((path) => resolve(path));
  const lines = paths.flatMap(readableFiles).flatMap(findingsIn);
  for (const line of lines) console.log(line);
  console.log(lines.length === 1 ? '1 sentence' : `${lines.length} sentences`);
  return lines.length === 0 ? 0 : 1;
}

function findingsIn(file) {
  const text = readFileSync(file, 'utf8');
  const prose = file.endsWith('.md') ? markdownProse(text) : codeProse(file, text);
  return prose.flatMap(({ offset, text: passage }) =>
    findPatterns(passage).map(({ word, sentence }) => {
      const line = text.slice(0, offset).split('\n').length;
      return `${relative(process.cwd(), file)}:${line}: [${word}] ${sentence.slice(0, 160)}`;
    }),
  );
}
