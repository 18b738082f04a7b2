import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { env } from 'node:process';
import { inspect, stripVTControlCharacters } from 'node:util';

/** Maximum numbers of lines of an error: of its message, which may contain a whole diff, and of its stack. */
const MESSAGE_LINES = 12;
const FRAMES = 6;
const COLUMNS = 300;

/**
 * Writes the results of a vitest run to the file that MCP_TEST_RESULTS names: the counts `passed` and `skipped`, and a
 * text for each of the `failures`.
 */
// oxlint-disable-next-line import/no-default-export -- vitest loads a reporter by it
export default class ResultsReporter {
  onTestRunEnd(files, unhandledErrors) {
    const tests = files.flatMap((file) => [...file.children.allTests()]);
    const passed = tests.filter((test) => test.ok()).length - tests.filter(isSkipped).length;
    // A file can fail without a failed test, if the file could not be loaded or one of its hooks failed.
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
  return [shown(name).replaceAll('\n', ' '), ...errors.map(indented)].join('\n');
}

function indented(error) {
  const frames = String(error.stack ?? '').match(/^\s+at .*$/gm) ?? [];
  const lines = [
    ...shown(error.message ?? inspect(error))
      .split('\n')
      .slice(0, MESSAGE_LINES),
    ...frames.filter((frame) => !/node_modules|node:internal|<anonymous>/.test(frame)).slice(0, FRAMES),
  ];
  return lines.map((line) => `    ${shown(line).slice(0, COLUMNS)}`).join('\n');
}

/**
 * Removes terminal sequences and replaces control characters other than newlines with spaces. A program that reads the log could
 * interpret them.
 */
function shown(text) {
  return stripVTControlCharacters(String(text)).replaceAll(/(?!\n)\p{Cc}/gu, ' ');
}
