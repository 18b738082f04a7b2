import { run } from '../workspace/run.mjs';

/** npm reports this code if a registry has no such package or version. */
const ABSENT = /\bE404\b/;

/**
 * Publishes packages in their order, and skips versions that the registry has. Resolves to the names of the published packages.
 * Throws at the first failure, so that no package is published before its dependencies. `variables` are added to the environment of npm.
 */
export async function publishPackages(packages, { provenance, report, variables = {} }) {
  const published = [];
  for (const { name, version, tarball } of packages) {
    if (await isPublished(name, version, variables)) {
      report(`${name}@${version} is published already.`);
      continue;
    }
    const flags = ['--access', 'public', ...(provenance ? ['--provenance'] : [])];
    const { code, output } = await run('npm', ['publish', tarball, ...flags], { variables });
    if (code !== 0) throw new Error(`npm publish of ${name}@${version} failed:\n${output}`);
    published.push(name);
    report(`${name}@${version} is published.`);
  }
  return published;
}

async function isPublished(name, version, variables) {
  const { code, output } = await run('npm', ['view', `${name}@${version}`, 'version', '--json', '--prefer-online'], {
    variables,
  });
  if (code === 0) return output.trim() !== '';
  if (ABSENT.test(output)) return false;
  throw new Error(`The registry does not answer for ${name}:\n${output}`);
}
