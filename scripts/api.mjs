import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT, isMain } from './run.mjs';
import { setup } from './setup.mjs';

const SILENT = { logLevel: 'none' };
const FAILING = { logLevel: 'error' };

/** What is reported besides a changed API: links to nowhere, and doc comments that a reader would see garbled. */
const MESSAGES = {
  compilerMessageReporting: { default: FAILING },
  extractorMessageReporting: {
    default: FAILING,
    // Everything that is exported is public; what is not, but is seen in what is, stands in the report without `export`.
    'ae-missing-release-tag': SILENT,
    'ae-forgotten-export': SILENT,
    // Looked for in the report, which tells an exported name from its members.
    'ae-undocumented': SILENT,
  },
  tsdocMessageReporting: { default: FAILING, 'tsdoc-param-tag-missing-hyphen': SILENT },
};

const UNDOCUMENTED = /^\/\/ @public .*\(undocumented\)\nexport .*$/gm;

/**
 * Compares what the built packages export with their checked-in reports, or updates those.
 * Resolves to an exit code and to what is wrong, exported names without a doc comment included.
 */
export async function apiReports({ update }) {
  // Not imported above: the setup of a fresh clone installs it.
  const { Extractor, ExtractorConfig } = await import('@microsoft/api-extractor');
  const temporary = mkdtempSync(join(tmpdir(), 'mcp-api-'));
  try {
    const problems = readdirSync(join(ROOT, 'packages')).flatMap((name) => {
      const config = ExtractorConfig.prepare(configuration(name, temporary));
      return report(Extractor, config, update).map((problem) => `packages/${name}: ${problem}`);
    });
    return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function configuration(name, temporary) {
  const projectFolder = join(ROOT, 'packages', name);
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
  if (apiReportChanged && !update) problems.unshift('the API report is out of date; update it by: npm run api');
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
