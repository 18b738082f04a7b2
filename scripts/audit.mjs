import { isMain, runWithPnpm } from './workspace/run.mjs';

/** Severities that fail the check. */
const GRAVE = new Set(['high', 'critical']);
/** Codes of pnpm and Node.js for errors of the network or the registry. Any other error is a fault of this repository. */
const NO_ANSWER = [
  /^ERR_PNPM_AUDIT_(?:BAD_RESPONSE|ENDPOINT_NOT_EXISTS)$/,
  /^ERR_PNPM_(?:META_FETCH_FAIL|FETCH_FAILED|FETCH_\d{3})$/,
  /^(?:ECONN[A-Z]+|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|ERR_SOCKET_TIMEOUT)$/,
  /^(?:UND_ERR_[A-Z_]+|FETCH_ERROR)$/,
];

const HELP = `Usage: npm run audit:dependencies -- [--require] [--registry URL]

Asks the registry for advisories on the packages that the published packages
depend on, as pnpm-lock.yaml has them. Development dependencies do not count.

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
  const { output } = await runWithPnpm('pnpm', ['audit', '--prod', '--json', ...from]);
  const report = parsed(output);
  const reason = reasonOfSilence(report);
  if (reason !== undefined) return skip(reason, isRequired);
  if (report?.advisories === undefined) {
    console.error(`pnpm audit failed:\n${output}`);
    return 1;
  }
  return judge(Object.values(report.advisories));
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
