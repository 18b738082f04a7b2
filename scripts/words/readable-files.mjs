import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SKIPPED_FOLDERS = /^(?:node_modules|dist|bundle|__snapshots__|\.(?!changeset$).*)$/;
const GENERATED_PATHS = /\/docs\/(?:reference|benchmarks)$/;
const GENERATED_FILES = /(?:\.api|^CHANGELOG)\.md$/;
const READABLE = /\.(?:md|[cm]?[jt]s|[jt]sx)$/;

/** Returns the files at or below a path that contain prose, except generated files and hidden folders other than `.changeset`. */
export function readableFiles(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) return isSkipped(entry.name, inside) ? [] : readableFiles(inside);
    return entry.isFile() && READABLE.test(entry.name) && !GENERATED_FILES.test(entry.name) ? [inside] : [];
  });
}

function isSkipped(name, path) {
  return SKIPPED_FOLDERS.test(name) || GENERATED_PATHS.test(path.replaceAll('\\', '/'));
}
