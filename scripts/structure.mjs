import { isAbsolute, resolve } from 'node:path';

import { ROOT } from './workspace/run.mjs';
import { classesWithTowers } from './structure/classes.mjs';
import { circles, twoWayFolders } from './structure/imports.mjs';
import { upwardImports } from './structure/layers.mjs';
import { largeFolders, readTrees } from './structure/trees.mjs';

const HELP = `Usage: npm run structure -- [DIRECTORY]

Checks how the files of the repository, or of another directory, depend on each
other. In the sources and tests of each package, in test, bench and scripts:

  circles          files that import each other, imports of types included
  two-way folders  two folders whose files import each other
  upward imports   files that import from a layer that is not below their own
                   (scripts/structure/layers.mjs lists the layers)
  large folders    more than 25 files in one folder
  class towers     classes of a server with more than one ancestor of ours;
                   the option classes of the host do not count

Prints the files and lines of the sources. Exits with 1 if it finds a problem.`;

process.exitCode = main(process.argv.slice(2));

function main([argument]) {
  if (argument === '--help' || argument === '-h') {
    console.log(HELP);
    return 0;
  }
  const trees = readTrees(argument === undefined ? ROOT : isAbsolute(argument) ? argument : resolve(argument));
  const problems = {
    'class towers': classesWithTowers(trees),
    circles: trees.flatMap(circles),
    'two-way folders': trees.flatMap(twoWayFolders),
    'upward imports': trees.flatMap(upwardImports),
    'large folders': trees.flatMap(largeFolders),
  };
  printSizes(trees.filter(({ folder }) => folder.endsWith('/src')));
  for (const [name, found] of Object.entries(problems))
    console.log([`${name}: ${found.length}`, ...found.map((line) => `  ${line}`)].join('\n'));
  return Object.values(problems).every(({ length }) => length === 0) ? 0 : 1;
}

function printSizes(trees) {
  const rows = trees.map(({ folder, files }) => ({ folder, files: files.size, lines: linesOf(files) }));
  const total = { folder: 'all sources', files: sum(rows, 'files'), lines: sum(rows, 'lines') };
  for (const { folder, files, lines } of [...rows, total]) console.log(`${folder}: ${files} files, ${lines} lines`);
}

function linesOf(files) {
  return [...files.values()].reduce((lines, { text }) => lines + text.split('\n').length - 1, 0);
}

function sum(rows, name) {
  return rows.reduce((total, row) => total + row[name], 0);
}
