import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { publishedPackages } from './workspace/packages.mjs';
import { ROOT, isMain } from './workspace/run.mjs';
import { setup } from './setup.mjs';

const SILENT = { logLevel: 'none' };
const FAILING = { logLevel: 'error' };

/** Messages that are reported in addition to a changed API: broken links, and doc comments that would be rendered wrongly. */
const MESSAGES = {
  compilerMessageReporting: { default: FAILING },
  extractorMessageReporting: {
    default: FAILING,
    // Every exported name is public. Names that are not exported but occur in exported ones are listed in the report
    // without `export`.
    'ae-missing-release-tag': SILENT,
    'ae-forgotten-export': SILENT,
    // Missing doc comments are found in the report instead, which distinguishes an exported name from its members.
    'ae-undocumented': SILENT,
  },
  tsdocMessageReporting: { default: FAILING, 'tsdoc-param-tag-missing-hyphen': SILENT },
};

const UNDOCUMENTED = /^\/\/ @public .*\(undocumented\)\nexport .*$/gm;

/**
 * Compares the exports of the built libraries with the checked-in reports, or updates the reports. Resolves to an exit
 * code and the problems, including exported names without a doc comment.
 */
export async function apiReports({ update }) {
  // Imported here, because in a fresh clone the setup has to install this package first.
  const { Extractor, ExtractorConfig } = await import('@microsoft/api-extractor');
  const temporary = mkdtempSync(join(tmpdir(), 'mcp-api-'));
  try {
    const libraries = publishedPackages().filter(({ manifest }) => manifest.bin === undefined);
    const problems = libraries.flatMap(({ directory }) => {
      const config = ExtractorConfig.prepare(configuration(directory, temporary));
      return report(Extractor, config, update).map((problem) => `${directory}: ${problem}`);
    });
    return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function configuration(directory, temporary) {
  const projectFolder = join(ROOT, directory);
  const configObject = {
    projectFolder,
    mainEntryPointFilePath: '<projectFolder>/dist/index.d.ts',
    newlineKind: 'lf',
    compiler: { tsconfigFilePath: '<projectFolder>/tsconfig.build.json' },
    apiReport: { enabled: true, includeForgottenExports: true, reportFolder: '<projectFolder>', reportTempFolder: temporary },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    messages: MESSAGES,
  };
  return { configObject, configObjectFullPath: undefined, packageJsonFullPath: join(projectFolder, 'package.json') };
}

function report(Extractor, config, update) {
  const problems = [];
  const messageCallback = (message) => {
    message.handled = true;
    if (message.logLevel === 'error') problems.push(`${message.text} (${message.messageId})`);
    if (message.messageId === 'console-api-report-diff') problems.push(message.text);
  };
  const { apiReportChanged } = Extractor.invoke(config, { localBuild: update, printApiReportDiff: !update, messageCallback });
  if (apiReportChanged && !update) problems.unshift('the API report is out of date; to update the report, run: npm run api');
  for (const [declaration] of readFileSync(config.reportTempFilePath, 'utf8').matchAll(UNDOCUMENTED))
    problems.push(`no doc comment: ${declaration.split('\n')[1]}`);
  return problems;
}

if (isMain(import.meta.url)) {
  await setup();
  const { code, output } = await apiReports({ update: true });
  console.log(code === 0 ? 'The API reports are up to date.' : output);
  process.exitCode = code;
}
