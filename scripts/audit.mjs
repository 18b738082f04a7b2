import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { LICENSES_FILE, readPackageNames } from './workspace/licenses.mjs';
import { publishedPackages } from './workspace/packages.mjs';
import { ROOT, isMain, runWithPnpm } from './workspace/run.mjs';

/** Severities that fail the check. */
const GRAVE = new Set(['high', 'critical']);
/** Codes of pnpm and Node.js for errors of the network or the registry. Any other error counts as a fault of this repository. */
const NO_ANSWER = [
  /^ERR_PNPM_AUDIT_(?:BAD_RESPONSE|ENDPOINT_NOT_EXISTS)$/,
  /^ERR_PNPM_(?:META_FETCH_FAIL|FETCH_FAILED|FETCH_\d{3})$/,
  /^(?:ECONN[A-Z]+|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|ERR_SOCKET_TIMEOUT)$/,
  /^(?:UND_ERR_[A-Z_]+|FETCH_ERROR)$/,
];

const HELP = `Usage: npm run audit:dependencies -- [--require] [--registry URL]

Requests from the registry the advisories on the packages that the published packages
depend on or contain, as pnpm-lock.yaml has them. Other development dependencies
are ignored. The packages must be built.

Exits with 1 for an advisory of high or critical severity, with 2 if the
arguments cannot be used. If the registry does not answer, the check is skipped
with the reason and exits with 0; with --require it exits with 1.`;

if (isMain(import.meta.url)) process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(HELP);
    return 0;
  }
  const { isRequired, registry, unknown } = read(args);
  if (unknown !== undefined) {
    console.error(`Unknown argument "${unknown}".\nSee npm run audit:dependencies -- --help.`);
    return 2;
  }
  const from = registry === undefined ? [] : [`--registry=${registry}`];
  const depended = await request('--prod', from);
  const developed = depended.advisories === undefined ? depended : await request('--dev', from);
  const { reason, output, advisories } = developed;
  if (reason !== undefined) return skip(reason, isRequired);
  if (advisories === undefined) {
    console.error(`pnpm audit failed:\n${output}`);
    return 1;
  }
  const contained = listContainedPackages();
  const found = [...depended.advisories, ...advisories.filter(({ module_name: name }) => contained.has(name))];
  return judge([...new Map(found.map((advisory) => [advisory.id, advisory])).values()]);
}

/**
 * Resolves to the advisories on a kind of dependencies. Instead, resolves to the reason if the registry does not answer, and to
 * the output of pnpm for any other error.
 */
async function request(kind, from) {
  const { output } = await runWithPnpm('pnpm', ['audit', kind, '--json', ...from]);
  const report = parsed(output);
  return { reason: reasonOfSilence(report), output, advisories: report?.advisories && Object.values(report.advisories) };
}

/** Returns the names of the packages whose code the built packages contain. They are development dependencies of the workspace. */
function listContainedPackages() {
  const files = publishedPackages().flatMap(({ directory }) =>
    ['lib', 'bundle'].map((output) => join(ROOT, directory, output, LICENSES_FILE)),
  );
  return new Set(files.filter((file) => existsSync(file)).flatMap((file) => readPackageNames(readFileSync(file, 'utf8'))));
}

function read(args) {
  const [registryFlag, registry] = [args.indexOf('--registry'), args[args.indexOf('--registry') + 1]];
  const rest = registryFlag === -1 ? args : args.toSpliced(registryFlag, 2);
  return {
    isRequired: rest.includes('--require'),
    registry: registryFlag === -1 ? undefined : registry,
    unknown: rest.find((arg) => arg !== '--require'),
  };
}

/** Returns the report in the output, which may start with warnings of npm, or `undefined` without a report. */
function parsed(output) {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  } catch {
    return undefined;
  }
}

function reasonOfSilence(report) {
  const { code = '', message = '' } = report?.error ?? {};
  return NO_ANSWER.some((codes) => codes.test(code)) ? `${code}: ${message}` : undefined;
}

function skip(reason, isRequired) {
  const line = `Advisories of production dependencies: skipped, because the registry does not answer (${reason.trim()}).`;
  if (isRequired) console.error(`${line} The check was required.`);
  else console.log(line);
  return isRequired ? 1 : 0;
}

function judge(advisories) {
  for (const { severity, module_name: name, title, url, findings = [] } of advisories) {
    const versions = [...new Set(findings.map(({ version }) => version))].join(', ');
    console.log(`${severity}: ${name} ${versions}: ${title} (${url})`);
  }
  const grave = advisories.filter(({ severity }) => GRAVE.has(severity)).length;
  console.log(`Advisories of production dependencies: ${advisories.length}, of which high or critical: ${grave}.`);
  return grave === 0 ? 0 : 1;
}
