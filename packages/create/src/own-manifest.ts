import { readFileSync } from 'node:fs';

/** The parts of the `package.json` of this package that the program uses. */
interface OwnManifest {
  readonly version: string;
  readonly engines: Readonly<Record<string, string>>;
  /** Versions of the packages with which the template is compiled in this repository. */
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The `package.json` of this package. */
export const OWN_MANIFEST: OwnManifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
