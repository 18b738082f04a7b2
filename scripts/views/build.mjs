import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { build } from 'rolldown';

import { joinLicenses, LICENSES_FILE, licenses } from '../workspace/licenses.mjs';

const SOURCES = 'views';
const OUTPUT = join('bundle', 'views');
const STYLE = new URL('../../packages/views/src/style.css', import.meta.url);
/** Maximum size of a view in bytes, compressed. */
const MAX_BYTES = 250_000;

/**
 * Builds each view of the server in the current directory, `views/NAME.tsx` with `views/NAME.css` if it exists, into one HTML document
 * `bundle/views/NAME.html`. The document contains its scripts and styles, because a view has no network.
 */
const names = readdirSync(SOURCES)
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => basename(file, '.tsx'));
mkdirSync(OUTPUT, { recursive: true });
const texts = [];
for (const name of names) texts.push(await buildView(name));
writeFileSync(join(OUTPUT, LICENSES_FILE), joinLicenses(texts));

/** Builds one view and writes its document. Resolves to the licences of the packages whose code the view contains. */
async function buildView(name) {
  const { output } = await build({
    input: join(SOURCES, `${name}.tsx`),
    platform: 'browser',
    write: false,
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    output: { format: 'iife', minify: true, comments: { legal: false, annotation: false, jsdoc: false }, codeSplitting: false },
    onLog: (level, log, report) => report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log),
    moduleTypes: { '.css': 'text' },
    plugins: [licenses()],
  });
  const script = output.find(({ type }) => type === 'chunk').code;
  const html = document({ title: name, script, style: readStyles(name) });
  const bytes = gzipSync(html).length;
  if (bytes > MAX_BYTES) throw new Error(`${name}.html has ${bytes} bytes compressed; the limit is ${MAX_BYTES}`);
  writeFileSync(join(OUTPUT, `${name}.html`), html);
  return output.find(({ fileName }) => fileName === LICENSES_FILE)?.source ?? '';
}

function readStyles(name) {
  const own = join(SOURCES, `${name}.css`);
  const style = readFileSync(STYLE, 'utf8') + (existsSync(own) ? readStyle(own) : '');
  return style
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s*([{};,])\s*/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Reads a CSS file, and replaces each `@import` with the imported file. */
function readStyle(file) {
  return readFileSync(file, 'utf8').replaceAll(/@import '([^']+)';/g, (_, imported) => readStyle(join(dirname(file), imported)));
}

/**
 * Returns the document of a view. A script in HTML ends at the first `</script`, and `<!--` changes how its end is found, so both
 * are escaped in the script.
 */
function document({ title, script, style }) {
  const safe = script.replaceAll(/<\/(script)/gi, String.raw`<\/$1`).replaceAll('<!--', String.raw`<\!--`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
<body></body>
<script>${safe}</script>
</html>
`;
}
