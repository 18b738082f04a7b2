import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { env } from 'node:process';
import { stripVTControlCharacters } from 'node:util';

/** Of each error: what it says and where, without the whole of what was compared. */
const ERROR_LINES = 12;
const ERROR_COLUMNS = 300;

/** Writes what came of a run of vitest to the file that MCP_TEST_RESULTS names: `passed`, `skipped`, and `failures`, a text each. */
// oxlint-disable-next-line import/no-default-export -- vitest loads a reporter by it
export default class ResultsReporter {
  onTestRunEnd(files, unhandledErrors) {
    const tests = files.flatMap((file) => [...file.children.allTests()]);
    const passed = tests.filter((test) => test.ok()).length - tests.filter(isSkipped).length;
    // A file can fail without a test that did: it could not be loaded, or a hook of it failed.
    const suites = files.flatMap((file) => [file, ...file.children.allSuites()]);
    const failures = [
      ...tests.filter((test) => !test.ok()).map((test) => described(test, test.result().errors)),
      ...suites.filter((suite) => suite.errors().length > 0).map((suite) => described(suite, suite.errors())),
      ...unhandledErrors.map((error) => `An error that no test caught\n${indented(error)}`),
    ];
    writeFileSync(env.MCP_TEST_RESULTS, JSON.stringify({ passed, skipped: tests.filter(isSkipped).length, failures }));
  }
}

function isSkipped(test) {
  return ['skipped', 'pending'].includes(test.result().state);
}

function described(entity, errors) {
  const file = relative(process.cwd(), entity.module?.moduleId ?? entity.moduleId);
  const name = entity.fullName && entity.module ? `${file} > ${entity.fullName}` : file;
  return [name, ...errors.map(indented)].join('\n');
}

function indented({ message, stack = '' }) {
  const text = stripVTControlCharacters(stack.includes(message) ? stack : `${message}\n${stack}`);
  const lines = text.split('\n').filter((line) => !line.includes('node_modules'));
  return lines
    .slice(0, ERROR_LINES)
    .map((line) => `    ${line.slice(0, ERROR_COLUMNS)}`)
    .join('\n');
}
