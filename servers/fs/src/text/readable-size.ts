const UNITS = ['KB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes for people: `512 B`, `1.50 KB`. */
export function readableSize(bytes: number): string {
  let shown = `${bytes} B`;
  let value = bytes;
  for (const unit of UNITS) {
    value /= 1024;
    if (value < 1) break;
    shown = `${value.toFixed(2)} ${unit}`;
  }
  return shown;
}
